"""From what was said to a plan: groups, rankings, lists, extremes, conditions."""

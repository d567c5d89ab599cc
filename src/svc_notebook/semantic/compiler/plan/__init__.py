"""A grouped query over model sources: parts, measures, grains, shifts and stages, each at its grain."""

"""Words of a question that steer its reading: aggregates, groupings, orders, comparisons, pictures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

from ....records import dataclass
from .text import Token

__all__ = ["STEERING", "STEERING_LIST", "Cue", "find_cues"]


@dataclass(frozen=True, slots=True)
class Cue:
    """Tokens ``start`` to ``end`` are a cue; ``weak`` ones give way to a member of that very name."""

    start: int
    end: int
    kind: str
    value: str
    weak: bool = False


# kind: {value: phrases}; a phrase ending in "~" is weak.
_TABLE: dict[str, dict[str, str]] = {
    "agg": {
        "avg": "on average|average amount of|average of|averages of|mean of|the average|average|averages|averaged|avg|mean|typical|typically|avg of",
        "sum": "total sum of|total amount of|sum of|sums of|total of|the total|the sum|sum total|summed up|summed|sum|sums|total|totals|cumulative|combined|accumulated|aggregate|aggregated~",
        "min": "minimum of|minimum|minimal|min of|min",
        "max": "maximum of|maximum|maximal|max of|max",
        "median": "median of|median",
        "stddev": "standard deviation of|standard deviation|stddev|std dev|spread of|variability of|volatility of",
    },
    "count": {
        "count": "row count|rowcount|total number of|the number of|number of|numbers of|the count of|total count of|overall count of|count of|counts of|how many|amount of times|number of times|how often|how much number of|quantity of|the quantity of|the amount of~|amount of~|frequency of|frequencies of|frequency~|tally of|count the|count|counts|counting|total quantity of|cumulative count of|overall quantity of|how frequently|the total number|total number|the total count|total count|overall number|total quantity|the number|volume of~|overall number of|no of|#",
        "distinct": "number of distinct|number of unique|number of different|how many distinct|count different|count the different|count all different|how many different|how many unique|distinct count of|count of distinct|count of unique|count distinct|unique count of|distinct number of|total number of distinct|total number of unique|total number of different|the number of distinct|the number of unique|the number of different",
    },
    "unique": {"distinct": "distinct|unique|list of unique|distinct list of|unique list of"},
    "group": {
        "by": "group by|grouped by|grouping by|groups by|group by the|grouped according to|grouped based on|grouped into|categorized by|categorised by|classified by|broken down by|break down by|breakdown by|broken out by|split by|split up by|separated by|divided by the|filtered by|segmented by|organized by|sliced by|slice by|aggregated by|parameterized by|displayed by|sub grouped by|partitioned by|binned by|bin by|binning|binned into|bucketed by|by|based on|according to|depending on|with respect to|in terms of|as a function of|per|for each|for every|in each|in every|of each|of every|from each|from every|at each|at every|on each|on every|by each|to each|with each|each|every|across|across different|across various|for different|for various|for all the different|of different|of various|in different|from different|among|amongst|across all|within each|associated with each|that each|does each|do each|did each|has each|for the different|corresponding to each|grouped in|regarding different|in various|under each|for each of the|group|grouped",
        "over": "over the course of|over|across the|change over|changes over|along",
        "versus": "versus|v / s|vs|vs.|v.s.|against|compared to|compared with|in relation to|relative to|in comparison to",
    },
    "series": {
        "color": "color coded by|colour coded by|color code by|colored by|coloured by|color by|colour by|colored according to|with color indicating|with colors indicating|color indicating|colors representing|color representing|colour representing|with different colors for|different colors for|different color for|colored based on|color for|colors for|color coded|coded by|group and color code by|as legend|as color|by color|with color|colored",
        "stack": "stacked bar chart by|stacked by|stack by|stack bar charts by|stacking by|stacked with|stack bars by|stacked on",
        "facet": "small multiples of|small multiple|small multiples|trellised by|trellis by|faceted by|facet by|faceted on|facets for|paneled by|one chart per|separate charts for each|separate chart for each|separate plots for each|separate chart per|separate plot for each|subplots for each|sub plots by|in separate panels by",
    },
    "order": {
        "asc": "in ascending alphabetical order of|in ascending alphabetical order|in alphabetic order|in alphabetical order of|in alphabetical order by|in alphabetical order|alphabetically|alphabetical order|in lexicographical order|in lexicographic order|in chronological order|chronologically|in an ascending order|in ascending order of|in ascending order by|in ascending order based on|in the ascending order|in ascending order|in increasing order of|in increasing order|in ascending manner|in ascending|in asc order|in asc|ascending order|ascending|asc|from low to high order|from low to high|low to high|from lowest to highest|from smallest to largest|from least to greatest|from least to most|from smallest to biggest|from shortest to longest|from youngest to oldest|from oldest to newest|oldest to newest|lowest first|smallest first|from a to z|a to z|a z|increasing|from the lowest to the highest|from the smallest to the largest|in order from lowest to highest|lowest to highest|least to greatest|smallest to largest|earliest first|soonest first|oldest first|starting from the earliest|starting from the earliest date|from earliest to latest",
        "desc": "in reverse alphabetical order of|in reverse alphabetical order|reverse alphabetical order|in a descending order|in descending order of|in descending order by|in descending order based on|in the descending order of|in the descending order|in descending order|in decreasing order of|in the decreasing order of|in decreasing order|in descending manner|in descending|in desc order|in desc|descending order|descending|desc|from high to low order|from high to low|high to low|from highest to lowest|from largest to smallest|from greatest to least|from most to least|from biggest to smallest|from longest to shortest|from oldest to youngest|from newest to oldest|newest to oldest|highest first|largest first|most first|biggest first|from z to a|z to a|decreasing|from the highest to the lowest|highest to lowest|greatest to least|largest to smallest|newest first|latest first|most recent first",
        "by": "ordered by|order by|sorted by|sort by|sorted according to|ranked by|rank by|arranged by|arrange by|sorted based on|ordered based on|ranked based on|listed by|sort|sorted|order~|ordered|rank~|arrange|arranged",
    },
    "axis": {
        "x": "on the x axis|on x axis|on the x|the x axis|by the x axis|x axis|x-axis|xaxis|by the x|in x axis|the bars|by the bar|by the bars|by the names|by bar|the bar|horizontal axis|abscissa|in columns~|along the x axis|category axis|x",
        "y": "on the y axis|on y axis|on the y|the y axis|by the y axis|y axis|y-axis|yaxis|by the y|in y axis|by the total number|by total number|by the total|by how many|vertical axis|ordinate|in rows~|along the y axis|y",
    },
    "top": {
        "desc": "least punctual|rainiest|deadliest|top|last~|highest ranking|highest ranked|biggest|largest|highest|most|greatest|best|maximum~|longest|heaviest|oldest|most expensive|most popular|most frequent|most frequently|most common|commonest|most commonly|most recent|latest|newest|busiest|leading|strongest|fastest|quickest|richest|tallest|hottest|warmest|wettest|windiest|furthest|farthest|priciest|costliest|most profitable|most populous|most populated|most heavily|peak|deepest|max~|most recently|most often",
        "asc": "bottom|weakest|lowest ranking|lowest ranked|smallest|lowest|least|fewest|minimum~|shortest|lightest|youngest|cheapest|least expensive|least popular|least frequent|least common|earliest|oldest first|slowest|poorest|coldest|nearest|closest|first~|min~|quietest|least profitable|minimal~|most punctual|least often|least recent",
        "worst": "worst|poorest performing|worst performing",
    },
    "compare": {
        ">": "busier than|more popular than|more often than|more frequent than|more frequently than|more common than|more than|greater than|larger than|higher than|bigger than|over than|exceeding|exceeds|exceed|exceeded|above|longer than|older than|heavier than|later than|in excess of|better than|taller than|faster than|over~|beyond|more expensive than|surpassing|surpass|surpasses|is more than|is greater than|is higher than|of more than|with more than|strictly more than",
        ">=": "at least|no less than|not less than|no fewer than|greater than or equal to|more than or equal to|equal to or greater than|equal to or more than|minimum of~|or more|or higher|or greater|or above|or older|or later|and above|and over|or over|and up|and older",
        "<": "closer than|nearer than|quieter than|less popular than|less often than|less frequent than|less common than|less than|fewer than|smaller than|lower than|below|under|shorter than|younger than|lighter than|earlier than|cheaper than|worse than|is less than|is lower than|of less than",
        "<=": "at most|no more than|not more than|less than or equal to|equal to or less than|up to|or less|or fewer|or lower|or below|and below|or under|or younger|or earlier|maximum of~|not exceeding|no greater than|within~",
        "=": "equal to|equals|equal|exactly|is exactly|=|==|the same as|identical to",
        "!=": "not equal to|does not equal|do not equal|is not equal to|not equal|other than|different from|!=|<>",
        "symbol>": ">", "symbol>=": ">=", "symbol<": "<", "symbol<=": "<=",
        "between": "between|in the range of|within the range of|ranging from|ranging between|ranges from|range from|range between|falls between|falls within the range of|in the range between|in the range|within the range|from~",
        "contains": "containing|contains|contain|contained|that include the word|includes the word|with the word|with the letters|with the letter|with letters|have the letters|has the letter|with the substring|including the letter|including the letters|including the word|including|like|include the letter|has letters|has letter|that contain|whose name contains|contains the letter|contains the letters|matching",
        "starts": "starting with the letter|starting with|starts with the letter|starts with|start with the letter|start with|begins with the letter|begins with|begin with|beginning with|that start with|starting with letter|starts with letter",
        "ends": "ends with the letters|ends with the letter|ending with the letter|end with the letter|ending with the letter|ending with|ending in|ends with|ends in|end with",
        "null": "is null|is missing|are missing|is empty|are empty|missing|have no|has no|with no|without a|without an|without any|does not have|do not have|don't have|did not have|doesn't have|is blank|is unknown|that lack|lacking|not having|having no|haven't|have not|has not|had no|had not|hadn't",
        "not null": "is not null|not null|non null|are not null|does not have a null value|do not have null|not missing|is present|is known|does not equal to null|is not empty|non missing|not a null|is not a null|isn't null|isn't a null|not empty",
    },
    "both": {"": "compare|comparing|comparison of|comparison between|comparison among|how do|difference across"},
    "neg": {"not": "that do not use|do not use|does not use|that are not|that is not|are not|is not|not in|not from|not|excluding|exclude|excludes|except for|except|without|besides|apart from|ignoring|ignore|never|didn't|isn't|aren't|don't|doesn't|wasn't|weren't|non|remove|removing|leave out|leaving out|no~|drop|other than|did not|do not|does not|neither|nor|outside of|outside|minus"},
    "calc": {
        "share": "what share of|what proportion of|what portion of|what is the proportion of|the share of|share of|percentage share of|what percentage of|the percentage of|percentage of|percentages of|percent of|what percent of|what fraction of|fraction of|as a percentage of|as a share of|as percentage|as percent|percentage|contribution of|contribution to|part of the total|% of|percentage breakdown|relative share|what part of|share~|rate of",
        "proportion": "the proportion of|proportion of|proportions of|proportions|proportion|the ratio of the total",
        "growth": "growth rate of|growth of|growth in|growth rate|growth|percent change in|percentage change in|percentage change|percent change|percentage increase|rate of change|period over period|month over month|month on month|mom|week over week|quarter over quarter|qoq|day over day|wow|change from the previous|compared to the previous|compared with the previous|versus the previous|vs the previous|vs previous|versus previous|compared to previous|vs prior|versus prior|compared to the prior|compared with previous",
        "yoy": "year over year|year on year|yoy|same period last year|same month last year|same period a year ago|compared to last year|compared with last year|versus last year|vs last year|vs the year before|versus the previous year",
        "difference": "difference from the previous|change from previous|month over month difference|absolute change",
        "running": "running total of|running total|running sum of|running sum|cumulative sum of|cumulative sum|cumulative total of|cumulative total|cumulatively|rolling sum|year to date total|running count of|running count|accumulated over|cumulative number of over",
        "moving": "moving average of|moving average|rolling average of|rolling average|rolling mean of|rolling mean|smoothed|trailing average",
        "rank": "rank of each|rank of|ranking of|ranking|ranks of|with rank|with ranks|with their rank|with its rank",
        "ratio": "what is the ratio of|the ratio of|ratio of|ratios of|ratio between|ratio",
        "gap": "difference between|the difference between|differences between|gap between|difference in",
        "correlation": "correlation coefficient between|correlation coefficient of|correlation coefficient|pearson correlation",
    },
    "relate": {"": "relationship between|relationship of|relation between|relationship|relationships|correlation between|correlation of|correlation|correlate|correlated|correlates|association between|associated with~|related to|relates to|relate to|relate with|depend on|depends on|how does|impact of|effect of|influence of|affects|affect|interaction between|connection between|link between|is related"},
    "spread": {"": "distribution of|distributions of|the distribution|distribution|distributed|histogram of|histogram|histograms|frequency distribution|range of values of|the range of|range of|categorization of|spread"},
    "mark": {
        "bar": "stacked vertical bar chart|bar charts|bar chart|bar graphs|bar graph|bar plot|barchart|column chart|column charts|bars|bar|column graph|vertical bar chart|vertical bar charts|horizontal bar chart|a simple bar chart",
        "line": "line charts|line chart|line graphs|line graph|line plot|line plots|lines|time series|timeseries|trend line|trendline|timeline|multi line chart|multi series line chart|line",
        "area": "area charts|area chart|area graph|area plot|stacked area",
        "arc": "pie charts|pie chart|pie graph|pie|donut chart|donut|doughnut chart|doughnut|ring chart",
        "point": "scatter plots|scatter plot|scatterplots|scatterplot|scatter charts|scatter chart|scatter graph|scatter diagram|scatter|point chart|bubble chart|bubble plot|points|dots|dot plot",
        "rect": "heat map|heatmap|heat maps|heatmaps|matrix chart",
        "boxplot": "box plot|boxplot|box plots|box and whisker",
        "table": "as a table|in a table|as table|table only|just the table|in tabular form|tabular|raw table|no chart|without a chart|without chart",
    },
    "style": {"stacked": "stacked|stack", "grouped": "grouped bar charts|grouped bar chart|grouped bars|grouped columns|grouped bar|grouped column|clustered|side by side", "horizontal": "horizontal", "vertical": "vertical"},
    "trend": {"": "trend of|the trend|trends|trend|trended|trending|over time|across time|through time|with time|over the years|over the year|through the years|through the year|across the years|across years|over years|over the months|over the weeks|over the days|by time|in a timeline|on a timeline|time evolution|as time goes by|development of|evolution of|changed over|historical|in the course of time|along time|throughout the years|throughout time|the change of|changes over time"},
    "ask": {
        "which": "which|what are the|what is the|what's the|what|who|whose|where",
        "list": "return|list out|list all|list the|list|show me all|show all|give me all|give all|return all the|return all|return the|return|find all|find the|find|enumerate|display all|tell me the|names of all|give me the|show the|show me the|give the|show|give me|give|provide|display|get|draw|plot",
        "why": "why",
        "when": "when",
        "yesno": "is there any|is there|are there any|are there|do we have any|does any|do any|was there|were there any|were there|did any|has any|have any",
    },
    "logic": {"and": "and|as well as|along with|together with|plus|&|both|alongside|also|then", "or": "or", ",": ",", "break": ";|."},
    "have": {"with": "with|having|that have|that has|who have|who has|which have|which has|whose|where the|where|that had|who had|for which|for those|for all|for|from the|from|in the|in|of the|of|to|at|on|named|called|is|are|was|were|equals to|belonging to|that belong to"},
    "bins": {"": "number of bins|bin size of|bin size|bin width of|bin width|bins of size|bins of width|in bins of|buckets of|in buckets of|with bins of|bins|bin|buckets|bucket|bucketed|buckets by|intervals of|interval of|intervals|interval|steps of|in steps of|binned|rounded to|to the nearest|increments|increments of|in increments of|bin sizes of|chunks of|with a bin width of|binning"},
    "per": {"": "per"},
    "average": {">": "above average|above the average|higher than average|higher than the average|more than the average|more than average|greater than the average|greater than average|over the average|older than the average|older than average|better than average|longer than average|larger than the average|above the mean", "<": "below average|below the average|lower than average|lower than the average|less than the average|less than average|under the average|smaller than the average|shorter than the average|worse than average|below the mean"},
}  # fmt: skip


# Words worth mending where a slip of the fingers left them unread, the likeliest first.
STEERING_LIST = tuple(
    "month months monthly average median maximum minimum total number weekly weekday quarter quarterly yearly daily "
    "highest lowest largest smallest percentage distribution histogram compare between without cumulative growth "
    "january february march april june july august september october november december monday tuesday wednesday "
    "thursday friday saturday sunday yesterday year years week weeks least most count".split()
)


def _compile() -> dict[str, list[tuple[tuple[str, ...], str, str, bool]]]:
    table: dict[str, list[tuple[tuple[str, ...], str, str, bool]]] = defaultdict(list)
    for kind, values in _TABLE.items():
        for value, phrases in values.items():
            value = value.removeprefix("symbol")
            for phrase in phrases.split("|"):
                weak = phrase.endswith("~")
                words = tuple(piece for piece in phrase.rstrip("~").replace("-", " - ").split())
                table[words[0]].append((words, kind, value, weak))
    for entries in table.values():
        entries.sort(key=lambda entry: (-len(entry[0]), _PRIORITY.index(entry[1])))
    return dict(table)


_PRIORITY = (
    "average", "both", "bins", "count", "calc", "compare", "order", "series", "axis", "agg", "spread", "trend", "relate", "mark", "top", "neg", "style",
    "unique", "group", "per", "ask", "logic", "have",
)  # fmt: skip
_BY_FIRST = _compile()
STEERING = frozenset(word for phrases in _BY_FIRST.values() for words, *_ in phrases for word in words) | set(
    STEERING_LIST
)


def find_cues(tokens: Sequence[Token], groups: Collection[str] = ()) -> list[Cue]:
    """All cues, longest first at each place; cues of different places may overlap with members, not with each other.

    ``groups``: words that are what the model calls something to group by: ``by color`` is no channel then.
    """
    cues: list[Cue] = []
    words = [t.lower if t.kind != "quoted" else "\0" for t in tokens]
    i = 0
    while i < len(tokens):
        for phrase, kind, value, weak in _BY_FIRST.get(words[i], ()):
            end = _match(words, i, phrase)
            if (
                end is None
                or phrase[0] == "by"
                and (words[end - 1 : end + 1] == ["time", "of"] or phrase[-1] in groups)
            ):
                continue  # "by time of day" is no line over time
            cues.append(Cue(i, end, kind, value, weak))
            break
        i += 1
    return cues


def _match(words: Sequence[str], start: int, phrase: Sequence[str]) -> int | None:
    place = start
    for number, word in enumerate(phrase):
        if number and place < len(words) and words[place] in ("-", "(", "'") and word not in ("-", "(", "'"):
            place += 1
        if place >= len(words) or words[place] != word:
            return None
        place += 1
    return place

"""Everyday wordings in the words that names have: *how far is it*, *left early*, *older than 20 years*, *over 2013*."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial

from ...schema.metadata import Metadata
from ...words.rewriting import Found, rewritten
from ...words.text import Token
from .added_up import added_up, latest_there_is, rate_of_each, running_of_all, what_it_cost
from .against_all import above_the_average
from .ahead_of_time import ahead_of_time
from .all_but import all_but
from .amounts import (
    how_far,
    how_long,
    how_many_on_average,
    how_often,
    in_each_row,
    in_percent,
    named_extreme,
    on_average,
    ordered_by_amount,
    per_row,
    share_so,
    size_of_trade,
    worth,
)
from .and_who import and_in_which, and_who, everybody_at, who_the_extreme
from .as_a_mass import most_of_a_mass, part_of_a_mass, ranked_by_a_mass, so_much_of_a_mass
from .asked_loosely import (
    aged_so,
    among_those,
    average_one,
    breakdown_in_percent,
    range_of,
    rate_of_deed,
    rate_of_state,
    single_extreme,
    top_units,
    used_most,
    verb_the_most,
)
from .bare_amounts import bare_amount
from .belonging import belonging_to_none, has_not_got
from .birthdays import having_a_birthday
from .bounded import cost_together, lasting_so_long, money_done, part_bounded, rows_so_long
from .bounds_before import bound_around_noun, bound_before_name, bound_before_named_number, bound_of_things
from .bracketed import all_in_brackets, said_in_brackets
from .busiest import busiest_first, most_rows_first
from .by_role import did_by_one, done_by_one, more_than_theirs
from .by_unit import by_unit
from .by_whom import by_whom, each_person, with_who_behind
from .came import came_so_often
from .claimed_shares import share_claimed
from .columns import columns_compared, more_of_one
from .daily_rows import bound_in_degrees, days_counted, degrees, hours_counted, share_of_time
from .deadlines import done_so, done_within, in_time, past_due
from .differences import how_much_more
from .doings import (
    by_deeds,
    did,
    did_most,
    never_did,
    nobody_did,
    of_ours,
    over_whom,
    so_many_times,
)
from .done_as_value import done_as_value
from .done_or_not import (
    done_at_all,
    in_their_thirties,
    rate_of_dated,
    unit_most_so,
    verb_most,
    without_what,
    word_cut_short,
)
from .done_to import as_done, done_in_time, no_longer, still_used
from .every_kind import with_every_kind, with_so_many_kinds
from .fastest_time import fastest_time
from .flags_apart import apart_from_rest, as_against_not, flag_set, has_flag, new_and_old, with_and_without
from .groups_bounded import averaging_beyond, costing_beyond, done_so_many_times, together_beyond
from .had import last_had, most_had
from .having import who_has
from .how_it_goes import getting_better, how_fresh
from .in_a_hundred import in_a_hundred, ratio_behind
from .in_names import extreme_of_made, made_so
from .in_order import listed_first, oldest_when, sorted_rows
from .in_passing import and_short, anything_denied, at_the_moment, every_single, known_at_all, on_file, with_out
from .in_stock import out_of_stock
from .initials import by_initials, value_by_initials
from .joined import did_rate, joined_by_deed, who_did_it, who_of_rows
from .judged import best_alone, best_to
from .kinds_as_rows import kind_as_rows
from .kinds_counted import kind_counted
from .lateness import how_late, late, leaving_there, rows_so, so_late, were_so
from .level_now import level_now
from .long_ago import so_long_ago
from .made_so_much import how_much_made, made_the_most, output_made
from .marks_given import marks_given
from .mentioned import mentioned
from .money_flows import flow_done, money_goes, most_spent
from .money_named import how_much_of, money_for, per_one
from .money_out import expenses_in_all, spending_of_rows, unpaid_rows, what_some_cost
from .most_so import rows_most_so, unit_by_name, units_with_most
from .not_yet import longest_so, not_yet, so_before_noun, so_many_so
from .numbered import codes_counted, number_sign, numbered_row, numbered_text, total_number
from .of_a_hundred import of_a_hundred
from .of_each import best_selling, extreme_of_each, longest_ways, share_of_each
from .of_their_lines import average_of_lines, extreme_by_lines, lines_as_items, ranked_by_all
from .only import of_these_alone, such_alone
from .overdue import overdue
from .owed import how_much_is_owed, owes_most
from .own_years import by_own_year
from .people import full_name, half_of_a_name, two_halves
from .per_each import each_has
from .pieces import by_number_traded, pieces_folded, pieces_of_each, pieces_traded, traded_pieces
from .plain_people import at_work, plain_people, those_attending, who_has_not
from .referred import who_it_is
from .routes import route_by_ends
from .rows import everywhere, got, more_of_two, same_kind, which_of_two, who
from .said_at_end import adding_up, best_first, most_so_first
from .same_name import name_with_and, other_of_the_name
from .series import series_bounded, series_folded
from .shares import percent_of_share, rates_bounded, share_by_doers, share_of_those, shares_bounded
from .short_names import glued, never_had, short_name, without_its_code
from .signing_up import signing_up
from .since import longest_here, longest_serving, since_when
from .so_many import with_so_many
from .so_much import in_its_unit, rows_of_so_much
from .so_much_done import did_the_most, so_much_done, with_the_most
from .so_numbered import so_numbered
from .some_bounded import amount_in_rows, rows_add_up, rows_so_many_times, so_many_such, sum_of_some
from .some_counted import counted_none, happened_to_so_many, never_counted, some_counted, where_it_happened
from .some_of_them import with_some
from .states_behind import state_behind_rows
from .still_here import still_here
from .summed import summed_beyond
from .sums_each import sum_each
from .takings import takings_bounded, takings_of_each
from .their_numbers import which_there_are, with_their_number
from .times import begun_then, leaving, of_the_year, of_time_named, older, older_in_years, over_a_year
from .top_reasons import top_reasons
from .totals_most import extreme_total, paid_most, paid_over_average
from .trades import average_of_trade, extreme_trade, new_rows, trade_bounded, value_of_trade
from .type_of import type_behind, type_of
from .unknown import not_known_to_us, not_recorded, unknown_so, with_column, without_column
from .used import how_much_used, used_the_most
from .ways import end_of_ways
from .weather import how_it_was, weather
from .were_done import were_done, were_paid
from .who_most import who_does_most
from .with_extreme import with_extreme
from .wording import Wording
from .written_short import (
    number_written_short,
    rows_written_short,
    value_as_one_word,
    value_said_otherwise,
    value_with_a_slip,
    value_written_short,
    without_apostrophe,
)

__all__ = ["in_everyday_words", "with_flows"]

_Rule = Callable[[Wording, int], Found | None]


def in_everyday_words(
    tokens: Sequence[Token], metadata: Metadata, now: datetime, default_year: int | None
) -> list[Token]:
    """The tokens with what people say every day in the words that the model's names have.

    Each wording is put otherwise only where the model has exactly what it speaks of, and where no name or value of the
    model is written so.
    """
    for rules in ((kind_as_rows,), _OPENINGS, *_ASKED_OF_COLUMNS, _FRAMES, _RULES):
        wording = Wording(tokens, metadata, now, default_year)
        tokens = rewritten(tokens, partial(_first, rules, wording))
    return list(tokens)


def with_flows(tokens: Sequence[Token], metadata: Metadata, now: datetime) -> list[Token]:
    """The tokens with what was spent and received by its name, where a model knows what went out and what came in."""
    if metadata.flows is None:
        return list(tokens)
    return rewritten(tokens, partial(_first, (flow_done, most_spent, money_goes), Wording(tokens, metadata, now, None)))


def _first(rules: Sequence[_Rule], wording: Wording, place: int, _: Sequence[Token]) -> Found | None:
    return next((made for rule in rules if (made := rule(wording, place)) is not None), None)


_ASKED_OF_COLUMNS: Sequence[Sequence[_Rule]] = (
    (rows_written_short, value_as_one_word, value_with_a_slip, value_written_short,
     value_said_otherwise, value_by_initials, number_written_short, without_apostrophe, without_its_code),
    (adding_up, best_first, most_so_first), (done_by_one, did_by_one, more_than_theirs, came_so_often),
    (did_the_most, so_much_done),
    (with_who_behind,), (and_who, who_the_extreme, and_in_which, everybody_at, by_whom, each_person),
    (plain_people, those_attending, who_has_not, by_own_year, having_a_birthday), (at_work, done_as_value),
    (mentioned,),
)  # fmt: skip


_OPENINGS: Sequence[_Rule] = (
    level_now, of_a_hundred, hours_counted, share_of_time,
    out_of_stock, all_in_brackets, all_but, getting_better, how_fresh,
    and_short, every_single, share_claimed, with_their_number, which_there_are, so_many_so, longest_so,
    so_before_noun, not_yet, part_of_a_mass, most_of_a_mass, ranked_by_a_mass, so_much_of_a_mass, how_much_made,
    made_the_most, output_made, state_behind_rows, bound_around_noun, never_counted, counted_none,
    happened_to_so_many, where_it_happened, some_counted, other_of_the_name, name_with_and, top_reasons,
)  # fmt: skip # whole questions and little words, before what else is found in them


_FRAMES: Sequence[_Rule] = (
    fastest_time, used_the_most, how_much_used, type_of, type_behind,
    average_of_lines, extreme_by_lines, lines_as_items, ranked_by_all, pieces_of_each, traded_pieces,
    expenses_in_all, spending_of_rows,
    what_some_cost, unpaid_rows,
    word_cut_short, rate_of_dated, done_at_all, verb_most, unit_most_so, in_their_thirties, without_what,
    average_one, breakdown_in_percent, top_units, used_most, verb_the_most, single_extreme, rate_of_deed,
    apart_from_rest, range_of, rate_of_state, aged_so, among_those, days_counted, bound_in_degrees,
    degrees, extreme_trade, extreme_of_made, made_so,
    how_much_is_owed, owes_most, signing_up, route_by_ends, kind_counted, with_some, who_does_most,
    busiest_first, most_rows_first, added_up, running_of_all, rate_of_each, with_the_most, what_it_cost,
    latest_there_is, older_in_years, in_percent, which_of_two, more_of_two, best_to, best_alone,
    with_so_many_kinds, with_every_kind, each_has, shares_bounded,
    rates_bounded, percent_of_share, since_when, longest_here, longest_serving, share_of_those, share_of_each,
    extreme_of_each, best_selling, longest_ways, how_much_more, with_so_many, above_the_average, units_with_most,
    rows_most_so, unit_by_name, no_longer, who_it_is, said_in_brackets, cost_together, takings_of_each, done_within,
    share_by_doers, summed_beyond, in_a_hundred, ratio_behind, together_beyond, averaging_beyond, costing_beyond,
    done_so_many_times, so_many_such, rows_so_many_times, amount_in_rows, rows_add_up, sum_of_some, extreme_total,
    paid_most, paid_over_average, sum_each, marks_given,
)  # fmt: skip


_RULES: Sequence[_Rule] = (
    so_long_ago, listed_first, oldest_when, sorted_rows, so_numbered, of_time_named, bound_of_things, bound_before_name,
    bound_before_named_number, rows_of_so_much, in_its_unit,
    with_extreme, number_sign, numbered_row, numbered_text, total_number, still_here, of_these_alone, such_alone,
    columns_compared,
    more_of_one, who_of_rows, pieces_traded, pieces_folded, by_number_traded, belonging_to_none, has_not_got, done_so,
    in_time,
    past_due, of_ours, on_file, overdue, most_had, last_had, did_most, over_whom, who_did_it, did_rate,
    never_did, never_had,
    nobody_did, did, so_many_times, short_name, glued, joined_by_deed, known_at_all, with_out,
    at_the_moment, by_deeds, codes_counted, by_unit,
    size_of_trade, value_of_trade, worth, unknown_so,
    not_known_to_us, not_recorded, who_has, without_column, with_column, done_in_time, as_done, still_used,
    part_bounded, lasting_so_long, rows_so_long,
    money_for, how_much_of, per_one, money_done, average_of_trade, trade_bounded, as_against_not,
    with_and_without, new_and_old, flag_set, has_flag, new_rows,
    takings_bounded, by_initials, bare_amount, series_folded, series_bounded,
    ordered_by_amount, named_extreme, weather, how_it_was, everywhere, same_kind, share_so, on_average,
    over_a_year, of_the_year,
    how_far, how_long, how_many_on_average, how_often, how_late, rows_so, were_so, were_done, were_paid,
    ahead_of_time, so_late, leaving_there,
    leaving, late, begun_then, older, per_row, in_each_row, got, who,
    full_name, two_halves, half_of_a_name, end_of_ways, anything_denied,
)  # fmt: skip

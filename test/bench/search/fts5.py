"""Measures SQLite's FTS5 for search.mjs: an index without content beside a table of rows. Prints JSON."""
import json
import os
import resource
import sqlite3
import sys
import time

rows_path, db_path, bucket, queries = sys.argv[1], sys.argv[2], int(sys.argv[3]), json.loads(sys.argv[4])
columns = ["msg", "source", "className", "username", "stackTraces", "serviceTypes", "logLevel"]


def rows():
    with open(rows_path, encoding="utf-8", newline="\n") as file:
        for number, line in enumerate(file, 1):
            time_text, *values = line.rstrip("\n").split("\x1f")
            yield number, int(time_text), [value.replace("\x1e", "\n") for value in values]


def seconds(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def load():
    connection.execute(f"CREATE TABLE logs (id INTEGER PRIMARY KEY, time INTEGER, {', '.join(columns)})")
    places = ", ".join("?" * (2 + len(columns)))
    connection.executemany(f"INSERT INTO logs VALUES ({places})", ([i, t, *v] for i, t, v in rows()))
    connection.execute("CREATE INDEX by_time ON logs (time)")
    connection.commit()


def index():
    names = ", ".join(columns)
    connection.execute(f"CREATE VIRTUAL TABLE words USING fts5({names}, content='', tokenize='unicode61')")
    connection.execute(f"INSERT INTO words (rowid, {names}) SELECT id, {names} FROM logs")
    connection.commit()


def condition(query):
    if "not" in query:
        return "id NOT IN (SELECT rowid FROM words WHERE words MATCH ?)", [query["not"]]
    if "from" in query:
        within = "id IN (SELECT rowid FROM words WHERE words MATCH ?) AND time BETWEEN ? AND ?"
        return within, [query["fts"], query["from"], query["to"]]
    return "id IN (SELECT rowid FROM words WHERE words MATCH ?)", [query["fts"]]


def median(sql, parameters):
    times = sorted(seconds(lambda: connection.execute(sql, parameters).fetchall()) for _ in range(3))
    return 1000 * times[1]


def measure(query):
    if "fts" not in query and "not" not in query:
        return {"name": query["name"]}
    where, parameters = condition(query)
    count = f"SELECT count(*) FROM logs WHERE {where}"
    if where.endswith("MATCH ?)") and "not" not in query:
        count = "SELECT count(*) FROM words WHERE words MATCH ?"
    return {
        "name": query["name"],
        "hits": connection.execute(count, parameters).fetchone()[0],
        "count": median(count, parameters),
        "newest": median(f"SELECT * FROM logs WHERE {where} ORDER BY time DESC, id DESC LIMIT 100", parameters),
        "histogram": median(f"SELECT time / {bucket}, count(*) FROM logs WHERE {where} GROUP BY 1", parameters),
    }


def megabytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if os.path.exists(db_path):
    os.remove(db_path)
connection = sqlite3.connect(db_path)
connection.execute("PRAGMA journal_mode = OFF")
connection.execute("PRAGMA cache_size = -262144")
result = {"load": seconds(load)}
size = os.path.getsize(db_path)
result["index"] = seconds(index)
result["bytes"] = os.path.getsize(db_path)
result["indexBytes"] = result["bytes"] - size
result["buildMemory"] = megabytes()
result["queries"] = [measure(query) for query in queries]
result["searchMemory"] = megabytes()
print(json.dumps(result))

"""SQLite's FTS5 for search.mjs: an index without content beside a table of rows, with indexes of times and requests.

`build FOLDER` prints figures; `serve FOLDER QUESTIONS` answers the numbers of questions, a line each.
"""
import json
import os
import resource
import sqlite3
import sys
import time

task, folder = sys.argv[1], sys.argv[2]
path = os.path.join(folder, "fts5.db")
columns = ["msg", "source", "className", "username", "stackTraces", "serviceTypes", "logLevel"]


def rows():
    with open(os.path.join(folder, "logs.ndjson"), encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            log = json.loads(line)
            yield (number, log["time"], log["requestID"], log["elapsed"], *(log.get(name, "") for name in columns), line)


def stopwatch():
    start, used = time.perf_counter(), time.process_time()
    return lambda: {"seconds": time.perf_counter() - start, "processor": time.process_time() - used}


def megabytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def connect():
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = OFF")
    connection.execute("PRAGMA cache_size = -262144")
    return connection


def build():
    if os.path.exists(path):
        os.remove(path)
    connection = connect()
    names = ", ".join(columns)
    lap = stopwatch()
    connection.execute(f"CREATE TABLE logs (id INTEGER PRIMARY KEY, time, requestID, elapsed, {names}, line)")
    connection.executemany(f"INSERT INTO logs VALUES ({', '.join('?' * (5 + len(columns)))})", rows())
    connection.execute("CREATE INDEX by_time ON logs (time)")
    connection.execute("CREATE INDEX by_request ON logs (requestID)")
    connection.commit()
    load, size, lap = lap(), os.path.getsize(path), stopwatch()
    connection.execute(f"CREATE VIRTUAL TABLE words USING fts5({names}, content='', tokenize='unicode61')")
    connection.execute(f"INSERT INTO words (rowid, {names}) SELECT id, {names} FROM logs")
    connection.commit()
    whole = os.path.getsize(path)
    return {"load": load, "index": lap(), "bytes": whole, "indexBytes": whole - size, "memory": megabytes()}


found = "id IN (SELECT rowid FROM words WHERE words MATCH ?)"
newest = "ORDER BY time DESC, id DESC LIMIT 100"


def statement(question):
    work, text = question["work"], question.get("fts")
    if work == "count":
        if "ftsNot" in question:
            return "SELECT count(*) FROM logs WHERE id NOT IN (SELECT rowid FROM words WHERE words MATCH ?)", [question["ftsNot"]]
        if "from" in question:
            return f"SELECT count(*) FROM logs WHERE {found} AND time BETWEEN ? AND ?", [text, question["from"], question["to"]]
        return "SELECT count(*) FROM words WHERE words MATCH ?", [text]
    if work == "newest":
        return f"SELECT * FROM logs WHERE {found} {newest}", [text]
    if work == "oldest":
        return f"SELECT * FROM logs WHERE {found} ORDER BY time, id LIMIT 100", [text]
    if work == "best":
        best = "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT 100"
        return f"SELECT * FROM logs WHERE id IN ({best})", [text]
    if work == "histogram":
        return f"SELECT time / {question['every']}, count(*) FROM logs WHERE {found} GROUP BY 1", [text]
    if work == "top":
        return f"SELECT source, count(*) FROM logs WHERE {found} GROUP BY 1 ORDER BY 2 DESC LIMIT 10", [text]
    if work == "trace":
        return "SELECT * FROM logs WHERE requestID = ? ORDER BY time", [question["value"]]
    if work == "context":
        at = f"(SELECT time FROM logs WHERE {found})"
        before = f"SELECT * FROM (SELECT * FROM logs WHERE time < {at} ORDER BY time DESC LIMIT 5)"
        after = f"SELECT * FROM (SELECT * FROM logs WHERE time >= {at} ORDER BY time LIMIT 6)"
        return f"{before} UNION ALL {after}", [text, text]
    return f"SELECT logLevel, avg(elapsed) FROM logs WHERE {found} GROUP BY 1", [text]


def serve():
    connection = connect()
    questions = json.loads(sys.argv[3])
    for line in sys.stdin:
        question = questions[int(line)]
        sql, parameters = statement(question)
        lap = stopwatch()
        result = connection.execute(sql, parameters).fetchall()
        hits = result[0][0] if question["work"] == "count" else len(result)
        print(json.dumps({"hits": hits, **lap(), "memory": megabytes()}), flush=True)


print(json.dumps(build())) if task == "build" else serve()

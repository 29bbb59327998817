"""Changes a SQLite file beside the server that has it open, as another program would.

    python sqlite.py FILE STATEMENT

Prints {"rows": N}, the rows that the statement touched.
"""

import json
import sqlite3
import sys

path, statement = sys.argv[1:]
with sqlite3.connect(path, timeout=20) as connection:
    print(json.dumps({"rows": connection.execute(statement).rowcount}))

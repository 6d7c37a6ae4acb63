# Move everything to another store, here another file.
foreword export > everything.jsonl
foreword import --store copy.db everything.jsonl

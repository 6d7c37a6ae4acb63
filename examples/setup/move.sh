foreword import .foreword/history.jsonl

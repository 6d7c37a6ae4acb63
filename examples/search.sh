# Find code by words, best first.
foreword search cart total

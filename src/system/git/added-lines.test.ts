import { expect, test } from 'vitest';
import { addedLines } from './added-lines.ts';

const DIFF = `diff --git a/x.txt b/x.txt
index 1..2 100644
--- a/x.txt
+++ b/x.txt
@@ -1,2 +1,3 @@ title
-secret
-- a/gone.txt
++++ b/other.txt
+@@ -1 +1 @@
+two\rdiff --git a/y b/y
@@ -9 +10 @@
 same
diff --git a/a b.bin b/a b.bin
new file mode 100644
--- /dev/null
+++ b/a b.bin\t
@@ -0,0 +1,2 @@
+\0one
+last
\\ No newline at end of file
diff --git a/gone b/gone
--- a/gone
+++ /dev/null
@@ -1 +0,0 @@
-secret
diff --git "a/q\\"q" "b/q\\"q"
--- "a/q\\"q"
+++ "b/q\\"q"
@@ -1 +1 @@
-old
\\ No newline at end of file
+new
`;

const ADDED = {
  'x.txt': '+++ b/other.txt\n@@ -1 +1 @@\ntwo\rdiff --git a/y b/y\n',
  'a b.bin': '\0one\nlast\n',
  'q\\"q': 'new\n',
};

test.each([1, 7, 64, 100_000])(
  'lines that a diff adds are found in parts of %d bytes, whatever they look like',
  (size) => {
    const read = addedLines();
    const found: Record<string, string> = {};
    const bytes = Buffer.from(DIFF);
    for (let at = 0; at < bytes.length; at += size)
      for (const { path, bytes: line } of read(bytes.subarray(at, at + size)))
        found[path] = `${found[path] ?? ''}${line.toString('utf8')}`;
    expect(found).toEqual(ADDED);
  },
);

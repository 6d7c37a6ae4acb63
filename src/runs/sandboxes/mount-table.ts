// Tables of mounts as text: the kernel's list of mounts, and an fstab for `mount --all`.

import { statSync } from 'node:fs';

export interface TableLine {
  readonly source: string;
  readonly target: string;
  readonly type: string;
  readonly options: string;
}

interface MountPoint {
  readonly point: string;
  /** Those a bind must keep: inside a user namespace the kernel refuses to drop them. */
  readonly options: string;
}

const KEPT = ['nosuid', 'nodev', 'noexec', 'noatime', 'nodiratime', 'relatime'];

export function fstab(lines: readonly TableLine[]): string {
  return lines
    .map((line) => `${toOctal(line.source)} ${toOctal(line.target)} ${line.type} ${line.options} 0 0\n`)
    .join('');
}

/** Of /proc/self/mountinfo. */
export function parseMountInfo(text: string): {
  optionsAt(path: string): string;
  below(folder: string): readonly MountPoint[];
} {
  const points = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): MountPoint => {
      const fields = line.split(' ');
      const options = (fields[5] ?? '').split(',').filter((option) => KEPT.includes(option));
      return { point: fromOctal(fields[4] ?? ''), options: (options.length === 0 ? ['relatime'] : options).join(',') };
    });
  return {
    // Of mounts at the same place the last is on top.
    optionsAt: (path) =>
      points
        .filter(({ point }) => path === point || path.startsWith(point === '/' ? '/' : `${point}/`))
        .reduce((best, each) => (each.point.length >= best.point.length ? each : best), {
          point: '',
          options: 'relatime',
        }).options,
    below: (folder) => points.filter(({ point }) => point.startsWith(`${folder}/`)),
  };
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function toOctal(text: string): string {
  return text.replace(/[\s\\#"]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`);
}

function fromOctal(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}

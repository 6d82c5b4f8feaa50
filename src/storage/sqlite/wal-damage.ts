import { closeSync, openSync, readSync } from 'node:fs'

const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
/** With the lowest bit set, checksums are over big-endian words. */
const MAGIC = 0x377f0682

/**
 * The number of commits that SQLite will silently drop from the end of a write-ahead log because of a wrong checksum
 * before them. 0 if the log is intact or missing, and if only the newest commit is broken: that is normal after a
 * power failure, and it was never acknowledged. The format: https://sqlite.org/fileformat2.html#walformat
 */
export function commitsLostToDamage(walFile: string): number {
  const file = openIfThere(walFile)
  if (file === null) return 0
  try {
    return countLost(file)
  } finally {
    closeSync(file)
  }
}

function countLost(file: number): number {
  const header = read(file, 0, HEADER_BYTES)
  if (!header || (header.getUint32(0) & ~1) !== MAGIC) return 0
  const littleEndian = (header.getUint32(0) & 1) === 0
  const salt = header.getBigUint64(16)
  const frameBytes = FRAME_HEADER_BYTES + header.getUint32(8)
  let sum = checksum([0, 0], header, 0, 24, littleEndian)
  let broken = false
  let commits = 0
  let hasLaterCommits = false
  for (let at = HEADER_BYTES; ; at += frameBytes) {
    const frame = read(file, at, frameBytes)
    // Frames from an earlier use of the log have another salt.
    if (!frame || frame.getBigUint64(8) !== salt) break
    if (!broken) {
      sum = checksum(sum, frame, 0, 8, littleEndian)
      sum = checksum(sum, frame, FRAME_HEADER_BYTES, frameBytes, littleEndian)
      broken = sum[0] !== frame.getUint32(16) || sum[1] !== frame.getUint32(20)
    }
    // What follows the broken commit was written after that had been synced.
    else if (commits > 0) hasLaterCommits = true
    const isCommit = frame.getUint32(4) !== 0
    if (broken && isCommit) commits += 1
  }
  return hasLaterCommits ? commits : 0
}

type Sum = [number, number]

function checksum(
  [first, second]: Sum,
  bytes: DataView,
  from: number,
  to: number,
  littleEndian: boolean,
): Sum {
  let [a, b] = [first, second]
  for (let at = from; at < to; at += 8) {
    a = (a + bytes.getUint32(at, littleEndian) + b) >>> 0
    b = (b + bytes.getUint32(at + 4, littleEndian) + a) >>> 0
  }
  return [a, b]
}

/** Null if the file ends before. */
function read(file: number, at: number, length: number): DataView | null {
  const bytes = new Uint8Array(length)
  return readSync(file, bytes, 0, length, at) === length ? new DataView(bytes.buffer) : null
}

function openIfThere(file: string): number | null {
  try {
    return openSync(file, 'r')
  } catch {
    return null
  }
}

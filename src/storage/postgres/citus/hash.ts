/**
 * The hash by which PostgreSQL, and Citus with it, places a row by a bigint: `hashint8`, with Bob Jenkins' final mix. It is
 * part of the on-disk format of hash partitions, so it does not change. Source: src/common/hashfn.c of PostgreSQL.
 */
export function hashBigint(value: number): number {
  const low = value >>> 0
  const high = Math.floor(value / 2 ** 32) | 0
  return hashUint32(low ^ (value >= 0 ? high : ~high))
}

/** `hash_bytes_uint32`, as a signed integer of 32 bits. */
function hashUint32(key: number): number {
  const start = (0x9e3779b9 + 4 + 3_923_095) | 0
  let a = (start + key) | 0
  let b = start
  let c = start
  c = ((c ^ b) - rotate(b, 14)) | 0
  a = ((a ^ c) - rotate(c, 11)) | 0
  b = ((b ^ a) - rotate(a, 25)) | 0
  c = ((c ^ b) - rotate(b, 16)) | 0
  a = ((a ^ c) - rotate(c, 4)) | 0
  b = ((b ^ a) - rotate(a, 14)) | 0
  c = ((c ^ b) - rotate(b, 24)) | 0
  return c
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits))
}

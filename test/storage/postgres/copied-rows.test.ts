/** Long results that come row by row, by COPY. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Db } from '../../../src/storage/db.js'
import { ORDINARY } from '../../../src/storage/postgres/connection.js'
import { Connections } from '../../../src/storage/postgres/connections.js'
import { readValues, toRow } from '../../../src/storage/postgres/copied-rows.js'
import { read, readWithoutSnapshot } from '../../../src/storage/postgres/transaction.js'
import { freshDatabase } from '../../_support/postgres.js'
import { testSettings } from '../../_support/worlds/store.js'

const MANY = 1_000_000
const ODD_TEXTS = [
  ...[
    '',
    ' ',
    'plain',
    'NULL',
    '\\N',
    '\\\\N',
    'N',
    '\\.',
    '\\t',
    '\\',
    '\\\\',
    'ends with \\',
    '\t',
    '\n',
    '\r\n',
  ],
  ...[
    'a\tb\nc\rd\be\ff\vg\\h',
    `it's "quoted", {so}`,
    '\u0001\u007f',
    'ä€😀',
    '\u2028\ufeff',
    'x'.repeat(100_000),
  ],
]

for (const run of [read, readWithoutSnapshot]) {
  test(`${run.name} gets the rows of a long result as those of a short one, with every kind of value`, async t => {
    const { ask, connections } = await site(t)
    await store(connections, ODD_TEXTS)
    const text = `SELECT n, word, NULL AS nothing, -n::integer AS below, n::smallint AS small, n / 4.0 AS parts, n = 3 AS is_three,
      convert_to(word, 'UTF8') AS bytes, word AS again FROM (SELECT key::bigint AS n, value AS word FROM meta) AS m WHERE n > $1 ORDER BY n`
    for (const after of [-5, 7, 10_000]) {
      const expected = await ask(run, db => db.dialect.arrays(text, [after]))
      assert.equal(expected.length, Math.max(0, ODD_TEXTS.length - Math.max(after, 0)))
      for (const rows of [1, MANY])
        assert.deepEqual(await ask(run, db => taken(db, text, [after], rows)), expected)
    }
    const words = await ask(run, db => taken(db, 'SELECT value FROM meta ORDER BY key::bigint', [], MANY))
    assert.deepEqual(words.flat(), ODD_TEXTS)
  })

  test(`${run.name} throws an error amid a long result, and its connection is still usable`, async t => {
    const { ask } = await site(t)
    const failing = (db: Db) =>
      taken(db, 'SELECT 1 / ($1 - n) FROM generate_series(1, 5000) n', [4_000], MANY)
    for (let n = 0; n < 3; n++) {
      await assert.rejects(ask(run, failing), { code: '22012' })
      assert.deepEqual(await ask(run, five), [[1], [2], [3], [4], [5]])
    }
  })

  test(`${run.name} throws an error in taking a row once, and its connection is still usable`, async t => {
    const { ask } = await site(t)
    let count = 0
    const failing = (db: Db) =>
      db.dialect.each('SELECT n FROM generate_series(1, 5000) n', [], MANY, () => {
        count++
        throw new RangeError('cannot be shown')
      })
    for (let n = 1; n <= 3; n++) {
      await assert.rejects(ask(run, failing), { name: 'RangeError', message: 'cannot be shown' })
      assert.equal(count, n)
      assert.deepEqual(await ask(run, five), [[1], [2], [3], [4], [5]])
    }
  })

  test(`${run.name} repeats a long result from its start if the connection is lost amid it`, async t => {
    const { ask } = await site(t)
    const arrived: number[] = []
    const losing = async (db: Db) => {
      const ends = arrived.push(0) === 1 ? 'pg_terminate_backend(pg_backend_pid())' : 'true'
      const text = `SELECT repeat('x', 1000), CASE n WHEN 4000 THEN ${ends} END FROM generate_series(1, 5000) n`
      await db.dialect.each(text, [], MANY, () => arrived[arrived.length - 1]!++)
    }
    await ask(run, losing)
    const [first, second] = arrived as [number, number]
    assert.ok(first > 0 && first < 5_000)
    assert.deepEqual([arrived.length, second], [2, 5_000])
  })
}

test('a read that has passed on a part of its result is not repeated', async t => {
  const { connections } = await site(t)
  for (const passes of [true, false]) {
    const parts: number[] = []
    let runs = 0
    const losing = async (db: Db, onPart: (part: number) => void) => {
      runs++
      if (passes) onPart(runs)
      if (runs === 1) await db.dialect.all('SELECT pg_terminate_backend(pg_backend_pid())', [])
    }
    const ended = read(connections, testSettings, losing as never, [(part: number) => parts.push(part)])
    await (passes ? assert.rejects(ended) : ended)
    assert.deepEqual([runs, parts], passes ? [1, [1]] : [2, []])
  }
})

test('long and short results that are asked for at once on one connection each get their own rows', async t => {
  const { ask } = await site(t)
  const upTo = (db: Db, last: number, expected: number) =>
    taken(db, 'SELECT n FROM generate_series(1, $1::int) n', [last], expected)
  const sizes = await ask(read, async db => {
    const asked = [3_000, 1, 2_000, 2, 1_000].map((last, place) => upTo(db, last, place % 2 ? 1 : MANY))
    return (await Promise.all(asked)).map(rows => rows.length)
  })
  assert.deepEqual(sizes, [3_000, 1, 2_000, 2, 1_000])
})

test('between the pieces of a long result everything else has its turn', async t => {
  const { ask } = await site(t)
  let inThisTurn = 0
  let most = 0
  let next = setImmediate(function turn() {
    inThisTurn = 0
    next = setImmediate(turn)
  })
  try {
    await ask(read, db =>
      db.dialect.each("SELECT repeat('x', 1000) FROM generate_series(1, 40000)", [], MANY, () => {
        most = Math.max(most, ++inThisTurn)
      }),
    )
  } finally {
    clearImmediate(next)
  }
  assert.ok(most > 0 && most <= 2 * 65, `${most} rows of 1 kB in one turn`)
})

test('a long result takes no parameter but whole numbers, so that no text enters a statement', async t => {
  const { ask } = await site(t)
  for (const value of ["'; DROP TABLE meta; --", 1.5, Number.NaN, null]) {
    const asked = ask(read, db => taken(db, 'SELECT $1::text', [value], MANY))
    await assert.rejects(asked, { name: 'TypeError' })
  }
  assert.deepEqual(await ask(read, five), [[1], [2], [3], [4], [5]])
})

test('a line of COPY is read with its escapes and nulls', () => {
  const text = (value: string) => value
  const parsers = [Number, text, text, text]
  assert.deepEqual(toRow('-7\t\\N\t\t\\\\N', parsers), [-7, null, '', '\\N'])
  assert.deepEqual(toRow('\\N\t\\b\\f\\n\\r\\t\\v\\\\\tx\\\\n\t\\\\\\n', parsers), [
    null,
    '\b\f\n\r\t\v\\',
    'x\\n',
    '\\\n',
  ])
})

test('the first values of a line are read alone, and the rest is left for later', () => {
  const text = (value: string) => value
  const line = '1\ta\\tb\t\\N\tc\\\\\t2'
  const row: unknown[] = []
  const end = readValues(line, [Number, text], row)
  assert.deepEqual(row, [1, 'a\tb'])
  assert.deepEqual(toRow(line.slice(end), [text, text, Number]), [null, 'c\\', 2])
})

test('a long and a short result have the same values in their packed columns', async t => {
  const { ask, connections } = await site(t)
  await store(connections, ODD_TEXTS)
  const text =
    'SELECT key::bigint AS n, NULL AS nothing, value, key::bigint > 3 AS is_late FROM meta WHERE key::bigint > $1 ORDER BY n'
  const expected = await ask(read, db => db.dialect.arrays(text, [0]))
  for (const rows of [1, MANY]) {
    const found: unknown[][] = []
    await ask(read, db =>
      db.dialect.eachPacked(text, [0], { expected: rows, apart: 1 }, (row, packed, unpack) =>
        found.push([...row.slice(0, 1), ...unpack(packed)]),
      ),
    )
    assert.deepEqual(found, expected)
  }
})

const five = (db: Db) => taken(db, 'SELECT n FROM generate_series(1, $1::int) n', [5], MANY)

async function taken(db: Db, text: string, values: unknown[], expected: number): Promise<unknown[][]> {
  const rows: unknown[][] = []
  await db.dialect.each(text, values, expected, row => rows.push(row))
  return rows
}

/** Stores texts where long ones fit, each with its number from 1. */
async function store(connections: Connections, texts: string[]): Promise<void> {
  const connection = await connections.take()
  for (const [place, text] of texts.entries()) {
    await connection.query('INSERT INTO meta (key, value) VALUES ($1, $2)', [String(place + 1), text])
  }
  connections.giveBack(connection)
}

/** A database of its own with two connections for reading, through the pooler if there is one. */
async function site(t: TestContext) {
  const database = await freshDatabase()
  const connections = new Connections(database.url, 2, ORDINARY, undefined, true)
  t.after(async () => {
    await connections.close()
    await database.drop()
  })
  const ask = <T>(run: typeof read, method: (db: Db) => Promise<T>) =>
    run(connections, testSettings, method as never, []) as Promise<T>
  return { ask, connections }
}

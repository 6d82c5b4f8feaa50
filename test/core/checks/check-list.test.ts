import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Status } from '../../../src/core/checks/check.js'
import {
  countStates,
  countTags,
  foldTags,
  type ListItem,
  type ListQuery,
  listed,
  type TagCount,
} from '../../../src/core/checks/check-list.js'

function item(id: number, name: string, status: Status = 'up', more: Partial<ListItem> = {}): ListItem {
  const uuid = `0000000${id}-0000-4000-8000-000000000000`
  const base = {
    troubleSince: null,
    running: false,
    failing: false,
    runningLong: false,
    lastPing: null,
    dueAt: null,
    lastDurationMs: null,
  }
  return { id, uuid, project: 'p', name, slug: '', tags: '', status, ...base, ...more }
}

const checks = [
  item(1, 'job 10', 'up', { tags: 'prod db', lastPing: 30, lastDurationMs: 5 }),
  item(2, 'Job 9', 'grace', { tags: 'prod', slug: 'nine', lastPing: 10 }),
  item(3, 'backup', 'down', { tags: 'db', lastPing: 20, troubleSince: 100 }),
  item(4, '', 'new', { running: true }),
  item(7, 'slow', 'up', { running: true, failing: true, runningLong: true }),
  item(5, 'archive', 'paused', { tags: 'Ärger', lastDurationMs: 9 }),
  item(6, 'zeta', 'down', { troubleSince: 200 }),
  item(8, 'alpha', 'down', { troubleSince: 100 }),
  item(9, 'beta', 'new'),
]

const ALL: ListQuery = { search: '', states: [], tags: [], sort: 'state', group: null, folded: [] }

const table: [string, Partial<ListQuery>, number[]][] = [
  [
    'usually down newest first, late, running long, up, new and paused, each by name',
    { sort: 'state' },
    [6, 8, 3, 2, 7, 1, 4, 9, 5],
  ],
  [
    'as they were made, but down comes first, then late, then running long',
    { sort: 'created' },
    [3, 6, 8, 2, 7, 1, 4, 5, 9],
  ],
  ['by name, numbers as numbers, letter case aside', { sort: 'name' }, [8, 3, 6, 2, 7, 4, 5, 9, 1]],
  ['by name, backwards', { sort: '-name' }, [6, 3, 8, 2, 7, 1, 9, 5, 4]],
  ['by last ping, never pinged last', { sort: 'last_ping' }, [3, 6, 8, 2, 7, 1, 4, 5, 9]],
  ['by last ping, newest first', { sort: '-last_ping' }, [3, 6, 8, 2, 7, 1, 4, 5, 9]],
  ['by duration, longest first', { sort: 'duration' }, [3, 6, 8, 2, 7, 5, 1, 4, 9]],
  ['a search looks into names whatever their case', { search: 'JOB' }, [2, 1]],
  ['a search looks into slugs', { search: 'nine' }, [2]],
  ['a search looks into tags', { search: 'ärger' }, [5]],
  ['a search looks into UUIDs', { search: '00000004-' }, [4]],
  ['a search ignores accents', { search: 'arger' }, [5]],
  ['a search for parts of words finds them if no check has the words', { search: 'ob ine' }, [2]],
  ['any of several states', { states: ['late', 'down'] }, [6, 8, 3, 2]],
  ['running goes beside any status', { states: ['running'] }, [7, 4]],
  ['all of several tags', { tags: ['db', 'prod'] }, [1]],
  ['a tag is taken whole', { tags: ['pro'] }, []],
]

for (const [name, query, expected] of table) {
  test(`the list of checks: ${name}`, () => {
    const found = listed(checks, { ...ALL, ...query })
    assert.deepEqual(
      found.map(check => check.id),
      expected,
    )
  })
}

test('down, late and long-running checks are each sorted by when it began, the last first', () => {
  const troubled = [
    item(1, 'a', 'grace', { troubleSince: 100 }),
    item(2, 'b', 'grace', { troubleSince: 300 }),
    item(3, 'c', 'up', { running: true, runningLong: true, troubleSince: 100 }),
    item(4, 'd', 'up', { running: true, runningLong: true, troubleSince: 200 }),
    item(5, 'e', 'down', { troubleSince: 50 }),
    item(6, 'f', 'down', { troubleSince: 60 }),
  ]
  assert.deepEqual(
    listed(troubled, ALL).map(check => check.id),
    [6, 5, 2, 1, 4, 3],
  )
})

test('states are counted, and running checks count in addition to their status', () => {
  assert.deepEqual(countStates(checks), {
    all: 9,
    down: 3,
    late: 1,
    running: 2,
    up: 2,
    new: 2,
    paused: 1,
    failing: 1,
  })
})

test('tags with trouble stand first, chosen ones stay visible, and the others are folded away', () => {
  const tag = (name: string, down = 0, late = 0) => ({ tag: name, checks: 5, down, late })
  const tags = ['a', 'b', 'c', 'd', 'e', 'f'].map(name => tag(name))
  const many = [...tags, tag('g', 0, 1), tag('h', 1), tag('i', 3)]
  const named = ([shown, others]: [TagCount[], TagCount[]]) => [
    shown.map(one => one.tag).join(''),
    others.map(one => one.tag).join(''),
  ]
  assert.deepEqual(named(foldTags(many, ['c'])), ['ihgc', 'abdef'])
  assert.deepEqual(named(foldTags(tags, [])), ['abcdef', ''])
  assert.deepEqual(named(foldTags([...tags, tag('x')], [])), ['abcdef', 'x'])
  const red = Array.from({ length: 40 }, (_, index) => tag(`n${index}`, 1))
  assert.equal(foldTags(red, ['n39'])[0].length, 13)
})

test('tags are counted in alphabetical order, with their down and late checks', () => {
  assert.deepEqual(countTags(checks), [
    { tag: 'db', checks: 2, down: 1, late: 0 },
    { tag: 'prod', checks: 2, down: 0, late: 1 },
    { tag: 'Ärger', checks: 1, down: 0, late: 0 },
  ])
})

/** Time zones: names, and what clocks show. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  canonicalZone,
  isCanonicalZone,
  nextAfter,
  parseSchedule,
  zoneDataVersion,
  zoneNames,
} from '../../../src/core/schedule/index.js'
import { CANONICAL_ZONES } from '../../../src/core/schedule/zones/canonical-zones.js'
import { LEGACY_ZONES } from '../../../src/core/schedule/zones/legacy-zones.js'
import { zoneNamed } from '../../../src/core/schedule/zones/zone.js'
import { readingAt } from '../../_support/wall-clock.js'

test('483 names are canonical and 113 are rewritten to canonical ones', () => {
  assert.equal(new Set(CANONICAL_ZONES).size, 483)
  assert.equal(LEGACY_ZONES.size, 113)
  for (const name of CANONICAL_ZONES) assert.equal(canonicalZone(name), name)
  for (const [name, successor] of LEGACY_ZONES) {
    assert.equal(canonicalZone(name), successor)
    assert.ok(isCanonicalZone(successor) && !isCanonicalZone(name), name)
  }
})

test('unknown names, other letter case, offsets and other texts are refused', () => {
  const names = [
    '',
    'Factory',
    'localtime',
    '+02:00',
    '-05:00',
    'UTC+2',
    'utc',
    'europe/riga',
    'Europe/Surprise',
  ]
  for (const name of [...names, 'Europe/Riga ', 'EUROPE/RIGA', 'constructor', 'posix/Europe/Riga']) {
    assert.equal(canonicalZone(name), null, name)
    assert.throws(() => nextAfter(parseSchedule('* * * * *'), name, 0), RangeError, name)
  }
})

test('zones newer than the list are known if the runtime knows them', () => {
  const newer = Intl.supportedValuesOf('timeZone').filter(
    name => name.includes('/') && !CANONICAL_ZONES.includes(name) && !LEGACY_ZONES.has(name),
  )
  for (const name of newer) assert.equal(canonicalZone(name), name)
  assert.equal(zoneNames().length, 483 + newer.length)
  assert.deepEqual(zoneNames(), zoneNames().sort())
})

test('every zone has the runtime’s offsets, from 1970 to 2199', () => {
  const moments: number[] = []
  for (let year = 1970; year < 2200; year += 9) {
    for (const month of [0, 3, 5, 9]) moments.push(Date.UTC(year, month, 1 + (year % 28), year % 24, 13))
  }
  for (const [index, name] of zoneNames().entries()) {
    const zone = zoneNamed(name)
    for (const instant of moments.filter((_, at) => at % 12 === index % 12)) {
      assert.equal(instant + zone.at(instant).offset, readingAt(name, instant), `${name} at ${instant}`)
    }
  }
})

test('changes of a zone are found to the second', () => {
  const changes: [zone: string, change: string, before: number, after: number][] = [
    ['Europe/Riga', '2021-03-28T01:00:00Z', 120, 180],
    ['Australia/Lord_Howe', '2021-10-02T15:30:00Z', 630, 660],
    ['Pacific/Chatham', '2024-04-06T14:00:00Z', 825, 765],
    ['Pacific/Apia', '2011-12-30T10:00:00Z', -600, 840],
    ['America/St_Johns', '2006-04-02T03:31:00Z', -210, -150],
    ['Africa/Monrovia', '1972-01-07T00:44:30Z', -44.5, 0],
    ['Europe/Riga', '2199-10-27T01:00:00Z', 180, 120],
    ['America/New_York', '2199-03-10T07:00:00Z', -300, -240],
  ]
  for (const [name, change, before, after] of changes) {
    const instant = Date.parse(change)
    assert.equal(zoneNamed(name).at(instant - 1).offset, before * 60_000, `${name} before ${change}`)
    assert.equal(zoneNamed(name).at(instant).offset, after * 60_000, `${name} from ${change}`)
  }
})

test('the first and the last instants work', () => {
  const schedule = parseSchedule('0 0 * * *')
  for (const instant of [-8.64e15, -1e14, 0, 8.64e15]) {
    const found = nextAfter(schedule, 'Europe/Riga', instant)
    assert.ok(found !== null && found > instant)
  }
})

test('the version of the zone data distinguishes runtimes', () => {
  assert.notEqual(zoneDataVersion('2025a'), zoneDataVersion('2025b'))
  assert.equal(zoneDataVersion('2025b'), zoneDataVersion('2025b'))
  assert.equal(typeof zoneDataVersion(undefined), 'string')
})

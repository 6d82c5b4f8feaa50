/** Each field of a check, on its way into the database and onto open pages. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CheckChanges } from '../../../src/core/checks/check-changes.js'
import type { CheckField } from '../../../src/core/checks/check-field.js'
import { CHECK_FIELDS, DEFAULT_SETTINGS, FIELD_LIST } from '../../../src/core/checks/check-fields.js'
import { openFreshStore } from '../../_support/worlds/store.js'

const { store, remove } = await openFreshStore()
test.after(remove)
const NOW = Date.UTC(2026, 0, 15, 12)
const project = await store.projects.create({ name: '', ownerId: null, pingKey: null, now: NOW })
const { check } = await store.checks.create(project.id, { changes: {}, unique: null, now: NOW })

const TEXTS = {
  slug: 'changed',
  schedule: '0 3 * * *',
  zone: 'Europe/Riga',
  causes: 'missed',
  'exit-codes': '0,3',
}

/** A value that is not the field's default. */
function otherValue({ type }: CheckField): unknown {
  if (type.is === 'flag') return true
  if (type.is === 'seconds' || type.is === 'number') return type.min + 1
  return type.is === 'choice' ? type.words[1] : TEXTS[type.format ?? 'slug']
}

// People and programs set neither the kind, which follows from the schedule, nor what deprecated keys leave behind.
const settable = FIELD_LIST.filter(({ name }) => name !== 'kind' && name !== 'subjectRules')

test('a check created without settings has every default', async () => {
  const { check: found } = await store.checks.facts(project.id, check.uuid, NOW)
  for (const { name } of FIELD_LIST) assert.equal(found[name], DEFAULT_SETTINGS[name], name)
})

for (const field of settable) {
  test(`${field.name} is stored as it was set, and open pages notice`, async () => {
    const value = otherValue(field)
    assert.notEqual(value, field.default)
    const [row, page] = await versions()
    await store.checks.update(project.id, check.uuid, {
      changes: { [field.name]: value } as CheckChanges,
      now: NOW,
    })
    const { check: found } = await store.checks.facts(project.id, check.uuid, NOW)
    assert.equal(found[field.name], value)
    const [rowAfter, pageAfter] = await versions()
    assert.notEqual(rowAfter, row, 'the version of its row in a list')
    assert.notEqual(pageAfter, page, 'the version of its page')
  })
}

/** The texts by which a row of a list and a page notice that something changed. */
async function versions(): Promise<(string | null | undefined)[]> {
  const { [check.uuid]: row } = await store.checks.fingerprints(project.id, [check.uuid], NOW)
  return [row, await store.checks.eventFingerprint(project.id, check.uuid, NOW)]
}

test('no two fields share a column, a name in the API or an input of the form', () => {
  const fields: CheckField[] = Object.values(CHECK_FIELDS)
  for (const names of [
    fields.map(({ row, column }) => `${row}.${column}`),
    fields.flatMap(({ api }) => api ?? []),
    fields.flatMap(({ form, column }) => (form ? [form.name ?? column] : [])),
  ]) {
    assert.deepEqual(names, [...new Set(names)])
  }
})

/** The laws of configuration as code, over random projects. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bySection, type ProjectConfig } from '../../../src/core/config/project-config.js'
import { substitute } from '../../../src/core/config/substitute.js'
import { applyPlan, exportDocument, plan, readDocument } from '../../_support/config/at-once.js'
import { channels, randomDocument } from '../../_support/config/random-document.js'

const options = { owner: 'punctual.yaml', prune: false, maxDeletes: null, channels }
const EMPTY: ProjectConfig = bySection(() => new Map())

/** Looks like a variable, and is none. */
const HOME_NAME = `Home $$ & \${HOME}`

const project = randomDocument.map(document => projectOf(document))

test('an export of a project asks for no change', () => {
  fc.assert(
    fc.property(project, current => assert.deepEqual(plan(current, exported(current), options).steps, [])),
  )
})

test('a plan applied twice is a plan applied once', () => {
  fc.assert(
    fc.property(project, project, fc.boolean(), (current, other, prune) => {
      const wanted = exported(other)
      const all = { ...options, prune, maxDeletes: 1_000 }
      const first = plan(current, wanted, all)
      fc.pre(first.problems.length === 0)
      const after = applyPlan(current, first, all)
      assert.deepEqual(plan(after, wanted, all).steps, [])
    }),
  )
})

test('a plan changes nothing', () => {
  fc.assert(
    fc.property(project, project, (current, other) => {
      const before = structuredClone(current)
      plan(current, exported(other), { ...options, prune: true, maxDeletes: 1_000 })
      assert.deepEqual(current, before)
    }),
  )
})

test('an export applied to an empty project gives the same project', () => {
  fc.assert(
    fc.property(project, current => {
      const planned = plan(EMPTY, exported(current), options)
      assert.deepEqual(planned.problems, [])
      assert.deepEqual(sorted(applyPlan(EMPTY, planned, options)), sorted(current))
    }),
  )
})

test('an export has a variable in place of every secret', () => {
  fc.assert(
    fc.property(project, current => {
      const { document } = exportDocument(current, { project: 'Home', channels })
      const shown = (document.channels ?? {}) as Record<string, Record<string, string>>
      for (const [key, { values }] of current.channels) {
        for (const [name, field] of channels.get(String(values.get('kind')))!) {
          const value = values.get(name)!
          if (!field.isSecret?.(value)) continue
          assert.match(shown[key]![name]!, /^\$\{[A-Z0-9_]+\}$/)
        }
      }
    }),
  )
})

test('what people made stays as it is unless the file names it', () => {
  fc.assert(
    fc.property(project, project, (made, other) => {
      const current = bySection(section => {
        return new Map([...made[section]].map(([key, one]) => [key, { ...one, owner: null }]))
      })
      const wanted = exported(other)
      const { steps } = plan(current, wanted, { ...options, prune: true })
      for (const { section, key, action } of steps) {
        assert.notEqual(action, 'delete')
        assert.ok(wanted.objects[section].has(key))
      }
    }),
  )
})

function projectOf(document: Parameters<typeof readDocument>[0]): ProjectConfig {
  const read = readDocument(document, channels)
  assert.deepEqual(read.problems, [])
  const planned = plan(EMPTY, read, options)
  assert.deepEqual(planned.problems, [])
  return applyPlan(EMPTY, planned, options)
}

/** What the export of a project asks for, with its secrets given. */
function exported(current: ProjectConfig) {
  const { document, variables } = exportDocument(current, { project: HOME_NAME, channels })
  const values = [...variables].map(([name, place]) => [name, valueAt(current, place)])
  const given = substitute(document, Object.fromEntries(values))
  assert.deepEqual(given.problems, [])
  const read = readDocument(given.document, channels)
  assert.deepEqual(read.problems, [])
  assert.equal(read.project, HOME_NAME)
  return read
}

function valueAt(current: ProjectConfig, [section, key, name]: readonly string[]): string {
  return String(current[section as 'checks'].get(key!)!.values.get(name!))
}

/** The values in one order. */
function sorted(config: ProjectConfig) {
  return bySection(section =>
    [...config[section]].map(([key, { owner, values }]) => ({
      key,
      owner,
      values: Object.fromEntries(values),
    })),
  )
}

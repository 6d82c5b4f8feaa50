/** Reads a file whose variables were replaced: what it asks for, and what is wrong with it. */
import { isStorable, UNSTORABLE_PROBLEM } from '../text/storable.js'
import { CHECK_SECTION, SCHEDULES, withOneSchedule } from './check-section.js'
import { isObject } from './config-field.js'
import { areEnough, firstProblems } from './first-problems.js'
import {
  bySection,
  type ConfigProblem,
  type Json,
  type Move,
  type Place,
  SECTIONS,
  type Section,
  type Values,
  type WantedConfig,
} from './project-config.js'
import { type ChannelSections, fieldsOf } from './sections.js'

const KEY = /^[a-z0-9_-]{1,100}$/

const TOP = ['project', 'defaults', 'moved', ...SECTIONS] as readonly string[]

/** The most channels that the checks of a file have in all: each is compared, written and read again. */
const MOST_LINKS = 500_000

/** The most characters of defaults, as JSON, times the number of checks. */
const MOST_DEFAULTS = 8_000_000

/** More levels than the values of any field have; deeper ones are refused before anything else looks at them. */
const DEEPEST = 10

interface Read extends WantedConfig {
  /** The name of the project, if the file has one. */
  project: string | null
  problems: readonly ConfigProblem[]
}

/** In turns, one for each object. What is right is read in any case, unless there are so many problems that the first are enough. */
export function* readDocument(document: Json, channels: ChannelSections): Generator<void, Read> {
  const problems: ConfigProblem[] = []
  const objects = bySection(() => new Map<string, Values>())
  const read = { project: null, problems, objects, moved: [] }
  const withFirstProblems = (...at: Place) => ({ ...read, problems: firstProblems(problems, at) })
  if (!isObject(document)) {
    problems.push({ at: [], problem: `Give one or more of: ${TOP.join(', ')}.` })
    return read
  }
  for (const name of Object.keys(document)) {
    if (!TOP.includes(name))
      problems.push({ at: [name], problem: `There is no “${name}”; there are: ${TOP.join(', ')}.` })
    if (areEnough(problems)) return withFirstProblems()
  }
  const part = (name: string) => {
    const value = own(document, name) ?? {}
    if (isObject(value)) return value
    problems.push({ at: [name], problem: 'Give names and values.' })
    return {}
  }
  const given = readFields(CHECK_SECTION, part('defaults'), ['defaults'], problems)
  const parts = bySection(part)
  // The keys alone: a list of 30,000 of them with their objects takes three times as long, in one turn.
  const keys = bySection(section => Object.keys(parts[section]))
  const defaults = sharedDefaults(given, keys.checks.length, problems)
  if (defaults.has('slug'))
    problems.push({ at: ['defaults', 'slug'], problem: 'Checks cannot share a slug.' })
  for (const section of SECTIONS) {
    for (const key of keys[section]) {
      yield
      const at = [section, key]
      if (!KEY.test(key))
        problems.push({ at, problem: 'A key has only a to z, digits, hyphens and underscores.' })
      const object = parts[section][key] ?? {}
      if (!isObject(object)) problems.push({ at, problem: 'Give the fields of this object.' })
      const fields = (isObject(object) ? object : {}) as Record<string, Json>
      objects[section].set(key, readObject(section, at, fields, { defaults, channels, problems }))
      if (areEnough(problems)) return withFirstProblems(section)
    }
  }
  problems.push(...tooManyLinks(objects.checks, defaults.has('channels')))
  const project = own(document, 'project')
  if (project !== undefined && typeof project !== 'string')
    problems.push({ at: ['project'], problem: 'Give the name of the project.' })
  if (!isStorable(project)) problems.push({ at: ['project'], problem: UNSTORABLE_PROBLEM })
  const moved = yield* readMoves(part('moved'), objects, problems)
  return {
    ...read,
    project: typeof project === 'string' ? project : null,
    moved,
    problems: firstProblems(problems, []),
  }
}

/** The defaults, unless they would be too much for so many checks: each gets them, in the plan, in its problems and when it is created. */
function sharedDefaults(defaults: Values, count: number, problems: ConfigProblem[]): Values {
  const length = count * JSON.stringify([...defaults]).length
  if (length <= MOST_DEFAULTS) return defaults
  const problem = `The defaults of ${count} checks have ${length} characters in all, more than ${MOST_DEFAULTS}: make them shorter.`
  problems.push({ at: ['defaults'], problem })
  return new Map()
}

function tooManyLinks(checks: ReadonlyMap<string, Values>, byDefault: boolean): ConfigProblem[] {
  let links = 0
  for (const values of checks.values())
    links += (values.get('channels') as readonly string[] | undefined)?.length ?? 0
  if (links <= MOST_LINKS) return []
  const problem = `The checks of a file have at most ${MOST_LINKS} channels in all, not ${links}: name groups of channels.`
  return [{ at: byDefault ? ['defaults', 'channels'] : ['checks'], problem }]
}

interface Context {
  defaults: Values
  channels: ChannelSections
  problems: ConfigProblem[]
}

function readObject(
  section: Section,
  at: readonly string[],
  given: Record<string, Json>,
  { defaults, channels, problems }: Context,
): Values {
  const kind = own(given, 'kind')
  const fields = fieldsOf(section, new Map([['kind', kind ?? null]]), channels)
  if (fields.size === 0) {
    const kinds = [...channels.keys()].join(', ')
    problems.push({ at: [...at, 'kind'], problem: `Give the kind of channel, one of: ${kinds}.` })
    return new Map()
  }
  const values = readFields(fields, given, at, problems)
  if (section !== 'checks') return values
  const schedules = SCHEDULES.filter(name => (values.get(name) ?? null) !== null)
  if (schedules.length > 1)
    problems.push({ at: [...at, schedules[1]!], problem: `Give only one of: ${SCHEDULES.join(', ')}.` })
  const inherited = [...defaults].filter(
    ([name]) => schedules.length === 0 || !(SCHEDULES as readonly string[]).includes(name),
  )
  return withOneSchedule(new Map([...inherited, ...values]))
}

function readFields(
  fields: ReturnType<typeof fieldsOf>,
  given: { readonly [name: string]: Json },
  at: readonly string[],
  problems: ConfigProblem[],
): Map<string, Json> {
  const values = new Map<string, Json>()
  for (const [name, value] of Object.entries(given)) {
    const field = fields.get(name)
    const place = [...at, name]
    if (!field) {
      problems.push({
        at: place,
        problem: `There is no field “${name}”; there are: ${[...fields.keys()].join(', ')}.`,
      })
    } else if (!isShallow(value)) {
      problems.push({ at: place, problem: 'This is nested too deeply.' })
    } else if (!isStorable(value)) {
      problems.push({ at: place, problem: UNSTORABLE_PROBLEM })
    } else if (value === null) {
      if (field.required) problems.push({ at: place, problem: 'This field is required.' })
      values.set(name, field.byDefault(at[1] ?? ''))
    } else {
      const read = field.read(value)
      if ('problem' in read) problems.push({ at: place, problem: read.problem })
      else values.set(name, read.value)
    }
  }
  return values
}

/** In turns. Moves of checks are written `old: new`, others with their section: `channels.old: new`. */
function* readMoves(
  given: { readonly [name: string]: Json },
  objects: WantedConfig['objects'],
  problems: ConfigProblem[],
): Generator<void, Move[]> {
  const moves: Move[] = []
  for (const from of Object.keys(given)) {
    yield
    if (areEnough(problems)) return moves
    const to = given[from]
    const [name, key] = from.includes('.') ? from.split('.', 2) : ['checks', from]
    const section = SECTIONS.find(one => one === name)
    if (section === undefined || typeof to !== 'string' || !objects[section].has(to)) {
      problems.push({ at: ['moved', from], problem: 'Give the new key of an object of this file.' })
    } else if (objects[section].has(key!)) {
      problems.push({ at: ['moved', from], problem: 'The old key is still in the file.' })
    } else moves.push({ section, from: key!, to })
  }
  return moves
}

function isShallow(value: Json, levels = DEEPEST): boolean {
  if (typeof value !== 'object' || value === null) return levels > 0
  return levels > 0 && Object.values(value).every(one => isShallow(one, levels - 1))
}

function own(value: { readonly [name: string]: Json }, name: string): Json | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined
}

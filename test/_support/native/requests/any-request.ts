/** Random requests to Punctual's own API, made from its document. */
import fc from 'fast-check'
import type { ApiDocument, DocumentedOperation } from '../../../../src/core/api-document.js'
import { Named, type Noun, named, nearlyValid, rubbish, valid, wrongWord } from './any-value.js'
import { PAUSED_CHECK, SPARE_NAME, SPARE_PROJECT } from './side.js'

/** The operation that a request is made for. */
export interface Target {
  method: string
  path: string
  documented: DocumentedOperation
  /** Whether the resource has an ETag, so that its changes may be conditional. */
  isConditional: boolean
}

/** A request whose placeholders are filled when it is sent. */
export interface AnyRequest {
  target: Target
  /** Which of the callers sends it. */
  caller: number
  params: Record<string, Named | string>
  query: Record<string, unknown>
  body: unknown
  /** Which of the laws about repeated and conditional requests is tried with it. */
  twist: 'none' | 'repeat' | 'other body' | 'stale' | 'current' | 'any'
  seconds: number
}

const UNIQUE_KEYS: Noun = 'unique_keys'

/** The place of the owner among the callers of a side. */
const OWNER = 0

/**
 * What half of the requests for an operation have that seldom succeeds by chance: its caller, and the place of what its path
 * names among those of its side. The last project has no other owner and a known name; the last check is paused first.
 */
const LIKELY: Readonly<Record<string, { caller?: number; at?: number }>> = {
  deleteProject: { caller: OWNER, at: SPARE_PROJECT },
  offerProject: { caller: OWNER, at: 0 },
  pauseCheck: { at: PAUSED_CHECK },
  resumeCheck: { at: PAUSED_CHECK },
}

export function targetsOf({ paths }: ApiDocument): Target[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, documented]) => ({
      method: method.toUpperCase(),
      path,
      documented,
      isConditional: documented.parameters.some(({ name }) => name === 'If-Match'),
    })),
  )
}

export function anyRequest(document: ApiDocument, callers: number): fc.Arbitrary<AnyRequest> {
  const { schemas } = document.components
  const requests = targetsOf(document).map(target => {
    const { documented, path, method } = target
    const schema = documented.requestBody?.content['application/json']?.schema
    const sends = ['POST', 'PUT', 'PATCH'].includes(method)
    const body = schema
      ? fc.oneof(
          { weight: 7, arbitrary: valid(schema, schemas) },
          { weight: 3, arbitrary: nearlyValid(schema, schemas) },
          { weight: 1, arbitrary: rubbish },
        )
      : fc.constant(sends ? {} : undefined)
    return fc.record({
      target: fc.constant(target),
      caller: callerOf(documented, callers),
      params: paramsOf(path, documented),
      query: queryOf(documented, schemas),
      body,
      twist: twistOf(target),
      seconds: fc.constantFrom(0, 0, 1, 60),
    })
  })
  return fc.oneof(...requests)
}

function callerOf({ operationId }: DocumentedOperation, callers: number): fc.Arbitrary<number> {
  // The first ones may do the most.
  const usual = fc.oneof(fc.nat(3), fc.nat(callers - 1))
  const likely = LIKELY[operationId]?.caller
  return likely === undefined ? usual : fc.oneof(usual, fc.constant(likely))
}

function twistOf({ method, isConditional }: Target): fc.Arbitrary<AnyRequest['twist']> {
  const none = { weight: 6, arbitrary: fc.constant('none' as const) }
  if (method === 'POST') {
    return fc.oneof(none, { weight: 2, arbitrary: fc.constantFrom('repeat' as const, 'other body' as const) })
  }
  if (!isConditional) return fc.constant('none')
  return fc.oneof(none, {
    weight: 2,
    arbitrary: fc.constantFrom('stale' as const, 'current' as const, 'any' as const),
  })
}

function paramsOf(path: string, { operationId, parameters }: DocumentedOperation) {
  const noun = path.split(/[/:]/)[1] as Noun
  const byKey = parameters.some(({ name, schema }) => name === 'uuid' && schema.anyOf !== undefined)
  const at = LIKELY[operationId]?.at
  const likely = at === undefined ? undefined : new Named(noun, at, 'own')
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  const usual = (name: string): fc.Arbitrary<Named | string> => {
    if (name === 'n') return fc.constantFrom('1', '2', '99')
    if (byKey) return fc.oneof(named(noun), named(UNIQUE_KEYS))
    return likely === undefined ? named(noun) : fc.oneof(named(noun), fc.constant(likely))
  }
  const param = (name: string) =>
    fc.oneof({ weight: 12, arbitrary: usual(name) }, { weight: 1, arbitrary: wrongWord })
  return fc.record(Object.fromEntries(names.map(name => [name, param(name)]))) as fc.Arbitrary<
    AnyRequest['params']
  >
}

function queryOf({ parameters }: DocumentedOperation, schemas: Parameters<typeof valid>[1]) {
  const some = parameters.filter(({ in: place, name }) => place === 'query' && name !== 'project')
  const hasProject = parameters.some(({ in: place, name }) => place === 'query' && name === 'project')
  const value = ({ name, schema }: (typeof some)[number]) =>
    fc.oneof(
      { weight: 5, arbitrary: known(name) ?? valid(schema, schemas, name) },
      { weight: 1, arbitrary: wrongWord },
    )
  const maybe = (weight: number, one: fc.Arbitrary<unknown>) =>
    fc.oneof({ weight: 10 - weight, arbitrary: fc.constant(undefined) }, { weight, arbitrary: one })
  return fc.record({
    ...Object.fromEntries(some.map(one => [one.name, maybe(one.required ? 9 : 2, value(one))])),
    // Tokens of persons need it, and others may send it.
    ...(hasProject ? { project: maybe(9, named('projects')) } : {}),
    unknown: maybe(1, fc.constantFrom(undefined, undefined, '1')),
  })
}

function known(name: string): fc.Arbitrary<unknown> | null {
  if (name === 'fields') return fc.constantFrom('uuid', 'name', 'id', 'name,status', 'nothing', '__proto__')
  if (name === 'cursor') return fc.constantFrom('next', 'other')
  if (name === 'status') return fc.constantFrom('up', 'down', 'new,up', 'late')
  if (name === 'check') return fc.oneof(named('checks'), named(UNIQUE_KEYS))
  if (name === 'channel') return named('channels')
  if (name === 'type') return fc.constantFrom('check', 'check.created', 'incident', 'nothing')
  if (name === 'name') return fc.constantFrom('Backup', SPARE_NAME)
  return null
}

/** ETags of resources, and If-Match: a change is made only if the resource is as the client knows it. */
import { createHash } from 'node:crypto'
import type { AnyNativeOperation } from '../native-operation.js'
import { PreconditionFailed } from '../problem.js'

/**
 * The ETag of a resource. The members in `state` of its GET do not count: a check that is pinged every minute could
 * otherwise hardly be changed.
 */
export function etagOf(body: string, { state }: Pick<AnyNativeOperation, 'state'>): string {
  const counted = state === undefined ? body : without(JSON.parse(body), state)
  return `"${createHash('sha256').update(counted).digest('base64url').slice(0, 27)}"`
}

/** Throws `PreconditionFailed` unless `current` is among the ETags of `If-Match`. Source: RFC 9110, section 13.1.1. */
export function requireMatch(header: string, current: string): void {
  if (header.trim() === '*') return
  if (!header.split(',').some(tag => tag.trim() === current)) throw new PreconditionFailed()
}

/** Whether an operation of this method may be made conditional: there is a GET that shows the resource. */
export function isConditional(method: string, methods: Partial<Record<string, AnyNativeOperation>>): boolean {
  return ['PUT', 'PATCH', 'DELETE'].includes(method) && hasEtag(methods)
}

/** Whether the resource of a route has an ETag: it is shown, is not a list, and can be changed. */
export function hasEtag(methods: Partial<Record<string, AnyNativeOperation>>): boolean {
  const { GET, PUT, PATCH, DELETE } = methods
  return GET !== undefined && GET.listing === undefined && Boolean(PUT ?? PATCH ?? DELETE)
}

function without(answer: Record<string, unknown>, names: readonly string[]): string {
  return JSON.stringify(Object.fromEntries(Object.entries(answer).filter(([name]) => !names.includes(name))))
}

/** Lists in pages. A cursor says after which item the next page begins, so that nothing is skipped or repeated when
 * items are added. It is opaque to clients, and valid only for the list that gave it. */
import { z } from 'zod'
import { cursorFor } from '../../../core/wire/cursor.js'
import { toJson } from '../../../core/wire/json.js'
import { inTurns, mapped } from '../../../lib/in-turns.js'
import type { Answer } from '../../api/operation.js'
import type { Listing, NativeCall } from '../native-operation.js'
import { positive, readQuery } from '../query.js'

type Paged = Pick<NativeCall, 'query' | 'operation'>

/** The page that is asked for: at most `limit` items after the place `after`. Throws a `FieldRefusal`. */
export function pageOf<P>(call: Paged, listing: Listing<P>): { after: P | null; limit: number } {
  const read = (text: string) => placeIn(text, call.operation, listing.place)
  const { cursor, limit } = readQuery(call.query, {
    cursor: { read, wrong: 'not the next of an answer of this list' },
    limit: positive(listing.most),
  })
  return { after: cursor?.place ?? null, limit: limit ?? listing.limit }
}

/**
 * The answer: the items as `shapeOf` shows them, and the place of the last one if there are more. A page may be long, so it is written in turns.
 */
export async function pageJson<T, P>(
  call: Paged,
  items: readonly T[],
  shapeOf: (item: T) => unknown,
  next: P | null,
): Promise<string> {
  const shown = await inTurns(mapped(items, item => toJson(shapeOf(item))))
  return pageText(shown, next === null ? null : cursorFor(call.operation, next))
}

/** The answer of items that are JSON already. `next`: the cursor of the next page. */
export function pageText(items: readonly string[], next: string | null): string {
  return `{"items": [${items.join(', ')}], "next": ${toJson(next)}}`
}

/** Of a list by ID, the newest first. */
export const NEWEST_FIRST: Listing<number> = { limit: 50, most: 200, place: z.int().min(1) }

/** A page of a list that is short enough to be read whole, newest first. */
export function pageOfAll<T extends { id: number }>(
  items: readonly T[],
  { after, limit }: { after: number | null; limit: number },
): { shown: T[]; next: number | null } {
  const sorted = items.filter(({ id }) => after === null || id < after).sort((a, b) => b.id - a.id)
  const shown = sorted.slice(0, limit)
  return { shown, next: sorted.length > limit ? shown.at(-1)!.id : null }
}

type Key = (string | number)[]

/** Of a short list in the order of a key, such as an address or an instant and a UUID. */
export const IN_ORDER: Listing<Key> = {
  limit: 50,
  most: 200,
  place: z.array(z.union([z.string(), z.number()])).max(2),
}

/**
 * The answer with a page of a list that is short enough to be read whole, in the order of its key. Throws a
 * `FieldRefusal` before it reads.
 */
export async function answerInOrder<T>(
  call: Paged,
  read: () => Promise<readonly T[]>,
  keyOf: (item: T) => Key,
  shapeOf: (item: T) => unknown,
): Promise<Answer> {
  const page = pageOf(call, IN_ORDER)
  const { shown, next } = pageInOrder(await read(), page, keyOf)
  return { status: 200, body: await pageJson(call, shown, shapeOf, next) }
}

/** The key of what was made one after the other. */
export function byCreation({ createdAt, uuid }: { createdAt: number; uuid: string }): Key {
  return [createdAt, uuid]
}

function pageInOrder<T>(
  items: readonly T[],
  { after, limit }: { after: Key | null; limit: number },
  keyOf: (item: T) => Key,
): { shown: T[]; next: Key | null } {
  const compare = (a: Key, b: Key) => {
    const at = a.findIndex((part, index) => part !== b[index])
    return at === -1 ? 0 : a[at]! < (b[at] ?? '') ? -1 : 1
  }
  const sorted = items
    .filter(item => after === null || compare(keyOf(item), after) > 0)
    .sort((a, b) => compare(keyOf(a), keyOf(b)))
  const shown = sorted.slice(0, limit)
  return { shown, next: sorted.length > limit ? keyOf(shown.at(-1)!) : null }
}

/** The schema of the answer. */
export function pageSchema(items: z.ZodType) {
  return z.strictObject({
    items,
    next: z.string().nullable().meta({ description: '`cursor` of the next page; null at the end.' }),
  })
}

function placeIn<P>(text: string, operation: string, schema: z.ZodType<P>): { place: P } | undefined {
  try {
    const [of, place] = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[]
    const parsed = schema.safeParse(place)
    return of === operation && parsed.success ? { place: parsed.data } : undefined
  } catch {
    return undefined
  }
}

import { bodyKey } from '../../../core/pings/body-key.js'
import { SHOWN_BYTES } from '../../../core/pings/ping-log.js'
import { valuesOf } from '../../checks/lanes/pings-between.js'
import type { Db } from '../../db.js'
import { preparedList } from '../../prepared.js'

/** The body of a ping, which is stored somewhere. */
export interface Output {
  checkId: number
  checkUuid: string
  n: number
  /** In bytes. */
  size: number
  /** Whether it is, or will be, in object storage. */
  isObject: boolean
}

/** What the database has of these bodies, in their order: each up to {@link SHOWN_BYTES}; null if it is elsewhere or gone. */
export async function outputBodies(db: Db, outputs: readonly Output[]): Promise<(Uint8Array | null)[]> {
  const [objects, others] = [outputs.filter(one => one.isObject), outputs.filter(one => !one.isObject)]
  const found = new Map<string, Uint8Array>()
  for (const [id, n, body] of await inLog.arrays(
    db,
    {},
    others.map(({ checkId: id, n }) => ({ id, n })),
  )) {
    found.set(`${id} ${n}`, body as Uint8Array)
  }
  const keys = objects.map(({ checkUuid, n }) => ({ key: bodyKey(checkUuid, n) }))
  for (const [id, n, body] of await inUploads.arrays(db, {}, keys))
    found.set(`${id} ${n}`, body as Uint8Array)
  return outputs.map(({ checkId, n }) => found.get(`${checkId} ${n}`) ?? null)
}

const inLog = preparedList((sql, _: Record<string, never>, items: { id: number; n: number }[]) =>
  sql
    .with('asked(id, n)', () => valuesOf(items.map(({ id, n }) => [id, n])))
    .selectFrom('asked as a')
    .innerJoin('pings as p', join => join.onRef('p.check_id', '=', 'a.id').onRef('p.n', '=', 'a.n'))
    .select(['p.check_id', 'p.n'])
    .select(eb => eb.fn<Uint8Array>('substr', ['p.body', eb.lit(1), eb.lit(SHOWN_BYTES)]).as('body')),
)

const inUploads = preparedList((sql, _: Record<string, never>, items: { key: string }[]) =>
  sql
    .selectFrom('uploads')
    .select(['check_id', 'n'])
    .select(eb => eb.fn<Uint8Array>('substr', ['body', eb.lit(1), eb.lit(SHOWN_BYTES)]).as('body'))
    .where(
      'key',
      'in',
      items.map(({ key }) => key),
    ),
)

import { changesOfCheck } from '../../../core/config/check-settings.js'
import type { Values } from '../../../core/config/project-config.js'
import { type AskedCheck, update } from '../../checks/change-checks.js'
import { createAll } from '../../checks/create-checks.js'
import { type Applying, type ConfigStep, note, refsOf } from './config-step.js'
import { naming } from './naming.js'

/**
 * Creates and changes checks. Those on which they depend are set at the end, when all are there and what ends has ended, so
 * that no circle is made on the way.
 */
export async function applyChecks(applying: Applying, steps: readonly ConfigStep[]): Promise<void> {
  const { db, projectId, refs, before, now } = applying
  const created = steps.filter(({ action }) => action === 'create')
  const written = await createAll(
    db,
    projectId,
    created.map(step => asked(applying, step.values)),
  )
  for (const [place, { check }] of written.entries()) refs.checks.set(created[place]!.key, check.uuid)
  const later: ConfigStep[] = []
  for (const step of steps) {
    const { action, key, values } = step
    const wanted = values.get('depends_on') as readonly string[] | undefined
    const old = (before.checks.get(key)?.values.get('depends_on') ?? []) as readonly string[]
    const kept = wanted && old.filter(parent => wanted.includes(parent))
    if (wanted && kept!.length < wanted.length) later.push(step)
    if (action === 'create' || values.size === 0) continue
    const first = { ...asked(applying, values), ...(kept && { parents: existing(applying, kept) }) }
    note(applying, await naming(step, update(db, projectId, refs.checks.get(key)!, first)))
  }
  for (const step of later) {
    const parents = refsOf(applying, 'checks', step.values.get('depends_on') as readonly string[])
    const uuid = refs.checks.get(step.key)!
    note(applying, await naming(step, update(db, projectId, uuid, { changes: {}, parents, now })))
  }
}

function existing({ refs }: Applying, keys: readonly string[]): string[] {
  return keys.flatMap(key => refs.checks.get(key) ?? [])
}

function asked(applying: Applying, values: Values): AskedCheck {
  const channels = values.get('channels') as readonly string[] | undefined
  const policy = values.get('policy') as string | null | undefined
  return {
    changes: changesOfCheck(values),
    refusesRules: true,
    ...(channels && { channels: refsOf(applying, 'channels', channels).join(',') }),
    ...(policy !== undefined && { policy: policy && Number(applying.refs.policies.get(policy)) }),
    now: applying.now,
  }
}

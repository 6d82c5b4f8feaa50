/** The settings of a channel in a body. */
import { prepareChannel } from '../../../actions/channels/prepare-channel.js'
import { Refusal } from '../../../core/errors.js'
import type { Field } from '../../../integrations/field.js'
import { integrationOf } from '../../../integrations/index.js'
import { operatorOf } from '../../operator.js'
import type { NativeCall } from '../native-operation.js'
import { FieldRefusal } from '../problem.js'

/** Throws a `FieldRefusal` for settings that are not of these fields. */
export function refuseOthers(fields: readonly Field[], sent: Record<string, string>): void {
  const other = Object.keys(sent).find(name => !fields.some(field => field.name === name))
  if (other === undefined) return
  const detail = 'not a field that can be set here'
  throw new FieldRefusal([{ detail, pointer: `/settings/${other.slice(0, 100)}` }])
}

/** The settings as sent, after the kind has prepared them at its service. Throws a `Refusal`. */
export async function prepared({ deps }: NativeCall, kind: string, given: Record<string, string>) {
  const transports = deps.delivery.transports(AbortSignal.timeout(30_000))
  return await prepareChannel({ operator: operatorOf(deps), transports }, integrationOf(kind)!, given)
}

/** The result of a write; a refused field is one of the settings. */
export async function inSettings<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'invalid') throw error
    const pointer = error.field === undefined ? '/settings' : `/settings/${error.field.slice(0, 100)}`
    throw new FieldRefusal([{ detail: error.message, pointer }])
  }
}

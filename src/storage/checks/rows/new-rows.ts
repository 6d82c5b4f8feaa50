/** Maps a new check to its two rows, and to the check that it is. The mapping functions are generated at start. */
import { type Check, NEW_STATE } from '../../../core/checks/check.js'
import type { CheckField } from '../../../core/checks/check-field.js'
import { FIELD_LIST, type Settings } from '../../../core/checks/check-fields.js'
import { type Member, objectMaker } from '../../object-maker.js'
import { isBit, type SettingColumns } from './check-columns.js'

/** A new check with all its settings, and the ID of the policy that it names. */
export interface CompleteCheck {
  settings: Settings
  policyId: number | null
  now: number
}

/** The identifiers of a new check. */
export type CheckNames = {
  id: number
  uuid: string
  uniqueKey: string
  badgeKey: string
}

/** `id`: 0 where the database assigns it. */
type NewRow = CompleteCheck & CheckNames & { projectId: number }

export type NewStateRow = SettingColumns<'state'> & Pick<NewRow, 'id' | 'uuid' | 'projectId' | 'now'>
export type NewDetailsRow = SettingColumns<'details'> & Omit<NewRow, 'settings'>

/** The values of the row of the state. */
export const stateValues = objectMaker<NewRow, NewStateRow>([
  ...same('id', 'uuid', 'projectId', 'now'),
  ...columns('state'),
])

/** The values of the row of the details. */
export const detailsValues = objectMaker<NewRow, NewDetailsRow>([
  ...same('id', 'uuid', 'uniqueKey', 'badgeKey', 'projectId', 'policyId', 'now'),
  ...columns('details'),
])

interface Parts {
  settings: Settings
  names: CheckNames
  state: typeof NEW_STATE
  now: number
}

const made = objectMaker<Parts, Check>([
  ...FIELD_LIST.map(({ name }) => ({ name, from: name, within: 'settings' })),
  ...same('uuid', 'uniqueKey', 'badgeKey').map(member => ({ ...member, within: 'names' })),
  ...same(...Object.keys(NEW_STATE)).map(member => ({ ...member, within: 'state' })),
  ...['statusSince', 'createdAt'].map(name => ({ name, from: 'now' })),
])

/** The check that was created, without pings yet. */
export function newCheck({ settings, now }: CompleteCheck, names: CheckNames): Check {
  return made({ settings, names, state: NEW_STATE, now })
}

function same(...names: string[]): Member[] {
  return names.map(name => ({ name, from: name }))
}

function columns(row: CheckField['row']): Member[] {
  return FIELD_LIST.filter(field => field.row === row).map(({ name, column }) => ({
    name: column,
    from: name,
    within: 'settings',
    toBit: isBit(name),
  }))
}

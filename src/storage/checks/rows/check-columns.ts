/** The columns of a check's settings, from the table of its fields. */
import type { CheckField, ValueOf } from '../../../core/checks/check-field.js'
import { CHECK_FIELDS, FIELD_LIST, type FieldName, type Settings } from '../../../core/checks/check-fields.js'

type Fields = typeof CHECK_FIELDS

type StoredValue = string | number | null

/** A value as it is stored. */
type Stored<T> = T extends boolean ? 0 | 1 : T

/** The columns of the settings in one of the two rows of a check. */
export type SettingColumns<Row extends CheckField['row']> = {
  [N in FieldName as Fields[N]['row'] extends Row ? Fields[N]['column'] : never]: Stored<
    ValueOf<Fields[N]['type']>
  >
}

/** The aliases of the tables `checks` and `check_details` in queries. */
const ALIASES = { state: 'c', details: 'd' } as const

type SettingRef = `c.${keyof SettingColumns<'state'>}` | `d.${keyof SettingColumns<'details'>}`

type Selected<N extends FieldName> = {
  [K in N]: `${(typeof ALIASES)[Fields[K]['row']]}.${Fields[K]['column']} as ${K}`
}[N]

/** Columns that select settings under their own names, from `checks as c` and `check_details as d`. */
export function selectSettings<N extends FieldName>(names: readonly N[]): Selected<N>[] {
  return names.map(name => {
    const { row, column }: CheckField = CHECK_FIELDS[name]
    return `${ALIASES[row]}.${column} as ${name}` as Selected<N>
  })
}

/** The settings in a row that was selected with {@link selectSettings}. */
export function toSettings<N extends FieldName>(names: readonly N[], row: object): Pick<Settings, N> {
  const stored = row as Record<N, unknown>
  const values = names.map(name => [name, isBit(name) ? stored[name] === 1 : stored[name]])
  return Object.fromEntries(values) as Pick<Settings, N>
}

/** The columns of `settings` in one of the rows; absent settings are left out. */
export function settingColumns<Row extends CheckField['row']>(
  row: Row,
  settings: Settings,
): SettingColumns<Row>
export function settingColumns<Row extends CheckField['row']>(
  row: Row,
  settings: Partial<Settings>,
): Partial<SettingColumns<Row>>
export function settingColumns(row: CheckField['row'], settings: Partial<Settings>): object {
  const present = FIELD_LIST.filter(field => field.row === row && settings[field.name] !== undefined)
  return Object.fromEntries(present.map(({ name, column }) => [column, toStored(settings[name]!)]))
}

/** The given settings, each with its column in `checks as c` or `check_details as d`. */
export function whereSettings(settings: Partial<Settings>): [SettingRef, StoredValue][] {
  const given = FIELD_LIST.filter(({ name }) => settings[name] !== undefined)
  return given.map(({ name, row, column }) => [
    `${ALIASES[row]}.${column}` as SettingRef,
    toStored(settings[name]!),
  ])
}

/** Picks the columns of the settings in one of the rows from `source`. */
export function pickColumns<Row extends CheckField['row']>(
  row: Row,
  source: SettingColumns<Row>,
): SettingColumns<Row> {
  const columns = FIELD_LIST.filter(field => field.row === row).map(({ column }) => column)
  const values = source as unknown as Record<string, unknown>
  return Object.fromEntries(columns.map(column => [column, values[column]])) as SettingColumns<Row>
}

export function isBit(name: FieldName): boolean {
  return CHECK_FIELDS[name].type.is === 'flag'
}

function toStored(value: Settings[FieldName] | null): StoredValue {
  return typeof value === 'boolean' ? Number(value) : value
}

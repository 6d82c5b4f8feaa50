/** The columns that hold a check's settings, as the table of its fields names them. */
import type { CheckField, ValueOf } from '../../core/checks/check-field.js'
import { CHECK_FIELDS, FIELD_LIST, type FieldName, type Settings } from '../../core/checks/check-fields.js'

type Fields = typeof CHECK_FIELDS

type StoredValue = string | number | null

/** A value as a column has it. */
type Stored<T> = T extends boolean ? 0 | 1 : T

/** The columns of the settings that lie in one of the two rows of a check. */
export type SettingColumns<Row extends CheckField['row']> = {
  [N in FieldName as Fields[N]['row'] extends Row ? Fields[N]['column'] : never]: Stored<
    ValueOf<Fields[N]['type']>
  >
}

/** What stands for the tables `checks` and `check_details` in queries. */
const ALIASES = { state: 'c', details: 'd' } as const

type SettingRef = `c.${keyof SettingColumns<'state'>}` | `d.${keyof SettingColumns<'details'>}`

type Selected<N extends FieldName> = {
  [K in N]: `${(typeof ALIASES)[Fields[K]['row']]}.${Fields[K]['column']} as ${K}`
}[N]

/** What selects some settings under their own names, from `checks as c` and `check_details as d`. */
export function selectSettings<N extends FieldName>(names: readonly N[]): Selected<N>[] {
  return names.map(name => {
    const { row, column }: CheckField = CHECK_FIELDS[name]
    return `${ALIASES[row]}.${column} as ${name}` as Selected<N>
  })
}

/** The settings that were selected so. */
export function toSettings<N extends FieldName>(names: readonly N[], row: object): Pick<Settings, N> {
  const stored = row as Record<N, unknown>
  const values = names.map(name => [name, isBit(name) ? stored[name] === 1 : stored[name]])
  return Object.fromEntries(values) as Pick<Settings, N>
}

/** The columns of `settings` in one of the rows; what is absent is left out. */
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

/** The settings given, each with the column that holds it in `checks as c` or `check_details as d`. */
export function whereSettings(settings: Partial<Settings>): [SettingRef, StoredValue][] {
  const given = FIELD_LIST.filter(({ name }) => settings[name] !== undefined)
  return given.map(({ name, row, column }) => [
    `${ALIASES[row]}.${column}` as SettingRef,
    toStored(settings[name]!),
  ])
}

/** Of `source` the columns of the settings of one of the rows. */
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

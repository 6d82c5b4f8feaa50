/** Reads a table of settings from environment variables, and reports every problem at once. */
import { readFileSync } from 'node:fs'
import type { SettingType } from './setting-types.js'

/** A row of the table. `default` is text as in a variable; `{NAME}` in it is replaced with the value of an earlier row. */
export interface Setting<T = unknown> {
  group: string
  type: SettingType<T>
  default: string
  /** Never shown: masked in listings, left out of error messages. */
  secret?: boolean
  help: string
}

/** A setting that an integration needs. It is added to the table, in the group `Integrations`. */
export interface OperatorSetting {
  name: string
  /** Integrations receive text: a flag as `true` or `false`, a number in decimal. */
  type?: 'text' | 'flag' | 'number'
  default?: string
  secret?: boolean
  help: string
}

export type Environment = Readonly<Record<string, string | undefined>>

/** The parsed values of a table, by name. */
export type Values<T extends Record<string, Setting>> = {
  readonly [N in keyof T]: T[N] extends Setting<infer V> ? V : never
}

/** A setting's value and its source, for display; secrets are masked. */
export interface SettingReport {
  name: string
  group: string
  value: string
  source: string
}

export interface ReadSettings<T extends Record<string, Setting>> {
  values: Values<T>
  report: SettingReport[]
  /** One sentence for each invalid setting, whose value is then the default. */
  problems: string[]
}

/** Invalid settings. `problems` has one sentence for each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  constructor(readonly problems: readonly string[]) {
    super(problems.join('; '))
  }
}

/** Adds `group` to each of `rows`. */
export function withGroup<T extends Record<string, Omit<Setting, 'group'>>>(group: string, rows: T) {
  const named = Object.entries(rows).map(([name, row]) => [name, { ...row, group }])
  return Object.fromEntries(named) as { [N in keyof T]: T[N] & { group: string } }
}

/** Shown in place of a secret. */
export const MASK = '••••••••'

/**
 * Reads every setting of `table` from `env`: from the file named by `NAME_FILE`, else from `NAME`, else the default. An
 * empty variable counts as unset unless its type has `takesEmpty`.
 */
export function readSettings<T extends Record<string, Setting>>(table: T, env: Environment): ReadSettings<T> {
  const values: Record<string, unknown> = {}
  const report: SettingReport[] = []
  const problems: string[] = []
  for (const [name, setting] of Object.entries(table)) {
    const byDefault = setting.default.replace(/\{(\w+)\}/g, (_, other: string) => formatValue(values[other]))
    let { text, source } = readText(name, setting, env, problems) ?? { text: byDefault, source: 'default' }
    let value = setting.type.parse(text)
    if (value === undefined) {
      const found = setting.secret ? '' : `, not ${JSON.stringify(text)}`
      problems.push(`${name} must be ${setting.type.accepts}${found}`)
      source = 'default'
      text = byDefault
      value = setting.type.parse(text)
      if (value === undefined) throw new Error(`the default of ${name} does not fit its type`)
    }
    values[name] = Object.freeze(value)
    const shown = setting.secret && text !== '' ? MASK : formatValue(value)
    report.push({ name, group: setting.group, value: shown, source })
  }
  return { values: Object.freeze(values) as Values<T>, report, problems }
}

function readText(name: string, { type }: Setting, env: Environment, problems: string[]) {
  const file = env[`${name}_FILE`]
  if (file) {
    try {
      return { text: readFileSync(file, 'utf8').trim(), source: `${name}_FILE (${file})` }
    } catch (error) {
      const reason = (error as NodeJS.ErrnoException).code ?? String(error)
      problems.push(`${name}_FILE must name a readable file, but ${file} cannot be read (${reason})`)
      return undefined
    }
  }
  const text = env[name]
  if (text === undefined || (text === '' && !type.takesEmpty)) return undefined
  return { text, source: 'environment' }
}

function formatValue(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return Array.isArray(value) ? value.join(', ') : String(value)
}

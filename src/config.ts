/** Reads the configuration: all settings, including the integrations'. No other file reads environment variables. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { flag, text, whole } from './lib/setting-types.js'
import {
  ConfigError,
  type Environment,
  type OperatorSetting,
  readSettings,
  type Setting,
  type SettingReport,
  type Values,
} from './lib/settings.js'
import { findContradictions } from './settings/contradictions.js'
import { SETTINGS, type SettingsTable } from './settings/index.js'

/**
 * The configuration: each setting under its own name, and the integrations' settings under `operator`, as text (flags
 * are `true` or `false`).
 */
export type Config = Values<SettingsTable> & { readonly operator: Readonly<Record<string, string>> }

export { ConfigError }

/** Reads all settings from `env`. Throws a `ConfigError` that lists every invalid value. */
export function loadConfig(
  env: Environment = process.env,
  operatorSettings: readonly OperatorSetting[] = [],
): Config {
  const own = readSettings(SETTINGS, env)
  const operator = readSettings(operatorTable(operatorSettings), env)
  const problems = [...own.problems, ...operator.problems, ...findContradictions(own, operator.values)]
  if (problems.length > 0) throw new ConfigError(problems)
  const texts = Object.entries(operator.values).map(([name, value]) => [name, String(value)])
  return Object.freeze({ ...own.values, operator: Object.freeze(Object.fromEntries(texts)) })
}

/** The environment variables that are passed to commands. They contain none of Punctual's secrets. */
export function commandEnvironment(env: Environment = process.env): Record<string, string> {
  const passed = ['PATH', 'HOME', 'LANG'].map(name => [name, env[name] ?? ''])
  return Object.fromEntries(passed.filter(([, value]) => value !== ''))
}

/** Where commands find the server that they ask, and as whom. */
export interface ClientEnvironment {
  url?: string
  /** An API token, or a key of a project. */
  token?: string
  /** The name or the UUID of a project. */
  project?: string
  /** The file of `punctual login`. */
  loginFile: string
}

/** Reads `PUNCTUAL_URL`, `PUNCTUAL_TOKEN` and `PUNCTUAL_PROJECT`, and finds the folder of the user's configuration. */
export function clientEnvironment(env: Environment = process.env): ClientEnvironment {
  const { PUNCTUAL_URL: url, PUNCTUAL_TOKEN: token, PUNCTUAL_PROJECT: project, XDG_CONFIG_HOME } = env
  const folder = XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config')
  const loginFile = join(folder, 'punctual', 'login.json')
  return { loginFile, ...(url && { url }), ...(token && { token }), ...(project && { project }) }
}

/** The value and source of each setting, with secrets masked. Throws as `loadConfig` does. */
export function reportConfig(
  env: Environment = process.env,
  operatorSettings: readonly OperatorSetting[] = [],
): SettingReport[] {
  loadConfig(env, operatorSettings)
  return [...readSettings(SETTINGS, env).report, ...readSettings(operatorTable(operatorSettings), env).report]
}

/** All settings by name, for the documentation. */
export function settingsTable(operatorSettings: readonly OperatorSetting[] = []): Record<string, Setting> {
  return { ...SETTINGS, ...operatorTable(operatorSettings) }
}

/** The values of all secret settings, which must never appear in any output. */
export function secretsOf(config: Config, operatorSettings: readonly OperatorSetting[] = []): string[] {
  const names = Object.entries(settingsTable(operatorSettings)).filter(([, setting]) => setting.secret)
  const values: Record<string, unknown> = { ...config, ...config.operator }
  return names.map(([name]) => String(values[name] ?? '')).filter(value => value !== '')
}

const OPERATOR_TYPES = { text, flag, number: whole(0) }

function operatorTable(rows: readonly OperatorSetting[]): Record<string, Setting> {
  const table: Record<string, Setting> = {}
  for (const { name, type = 'text', default: byDefault = '', secret = false, help } of rows) {
    if (name in SETTINGS) throw new Error(`an integration declares the setting ${name}, which exists already`)
    table[name] = { group: 'Integrations', type: OPERATOR_TYPES[type], default: byDefault, secret, help }
  }
  return table
}

/** The variables that files of configuration may name. */
export function configVariables(): Readonly<Record<string, string | undefined>> {
  return process.env
}

/**
 * The variables that files in CONFIG_DIR may name: not the settings themselves, so that the secrets of the installation never
 * get into a project.
 */
export function fileVariables({
  operator,
  ...settings
}: Config): Readonly<Record<string, string | undefined>> {
  const isSetting = (name: string) => name in settings || name in operator
  const entries = Object.entries(configVariables())
  return Object.fromEntries(
    entries.filter(([name]) => !isSetting(name) && !isSetting(name.replace(/_FILE$/, ''))),
  )
}

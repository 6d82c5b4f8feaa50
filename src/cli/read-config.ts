import { type Config, loadConfig, reportConfig } from '../config.js'
import { operatorSettings } from '../integrations/index.js'
import { runInDataFolder } from '../lib/data-folder.js'
import {
  newSecretKey,
  readOrCreateSecretKey,
  readSecretKey,
  secretKeyFile,
} from '../lib/secrets/secret-key.js'
import { MASK, type SettingReport } from '../lib/settings.js'

/** The configuration of this installation. Throws a `ConfigError` that lists every problem. */
export async function readConfig(): Promise<Config> {
  return loadConfig(undefined, operatorSettings)
}

/** The configuration with its signing key, which is generated in the data folder if there is none. */
export function withSecretKey(config: Config): Config {
  const key = () => config.SECRET_KEY || readOrCreateSecretKey(config.DATA_DIR)
  return Object.freeze({ ...config, SECRET_KEY: runInDataFolder(config.DATA_DIR, key) })
}

/** The same for a command that writes nothing: a generated key is not stored. */
export function withSecretKeyUnwritten(config: Config): Config {
  const key = () => config.SECRET_KEY || (readSecretKey(config.DATA_DIR) ?? newSecretKey())
  return Object.freeze({ ...config, SECRET_KEY: runInDataFolder(config.DATA_DIR, key) })
}

/** Every setting for display. Throws a `ConfigError` that lists every problem. */
export async function readConfigReport(): Promise<SettingReport[]> {
  const { DATA_DIR } = await readConfig()
  return reportConfig(undefined, operatorSettings).map(row =>
    row.name === 'SECRET_KEY' && row.value === '' && readSecretKey(DATA_DIR) !== null
      ? { ...row, value: MASK, source: secretKeyFile(DATA_DIR) }
      : row,
  )
}

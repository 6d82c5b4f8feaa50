/** What was last read of the settings of checks, with the JSON that follows from it: few change between two lists. */
import { type SettingsText, settingsText } from '../../../core/wire/native-check.js'
import type { StoreSettings } from '../../db.js'
import type { Unpack } from '../../dialect.js'
import { type ListedCheck, type ListedSettings, toListedSettings } from '../rows/check-rows.js'

/** The number of checks of which they are kept, about 2 kB each, and the longest text of settings that is kept. */
const KEPT_CHECKS = 10_000
const LONGEST = 2_000

/** The settings of a check: as the database gave them, as values, and as JSON for each kind of reader. */
export interface KeptSettings {
  readonly packed: string
  readonly values: ListedSettings
  rw: SettingsText | null
  ro: SettingsText | null
}

/** By the settings of the store, whose addresses are in the JSON, and by the IDs of checks. */
const keptBy = new WeakMap<StoreSettings, Map<number, KeptSettings>>()

/** The settings of a check in a row of `selectNativeChecks`: what is kept of them if it was made from the same text. */
export function keptSettings(store: StoreSettings, id: number, packed: string, unpack: Unpack): KeptSettings {
  let kept = keptBy.get(store)
  if (!kept) {
    kept = new Map()
    keptBy.set(store, kept)
  }
  const known = kept.get(id)
  if (known?.packed === packed) return known
  const fresh = { packed, values: toListedSettings(unpack(packed)), rw: null, ro: null }
  if (packed.length > LONGEST) return fresh
  if (!known && kept.size >= KEPT_CHECKS) kept.clear()
  kept.set(id, fresh)
  return fresh
}

/** The JSON of the settings of a check; see `settingsText`. */
export function keptText(
  kept: KeptSettings,
  check: ListedCheck,
  view: Parameters<typeof settingsText>[1],
): SettingsText {
  const { access } = view
  let text = kept[access]
  if (text === null) {
    const [beginning, middle, end] = settingsText(check, view)
    text = [flat(beginning), flat(middle), flat(end)]
    kept[access] = text
  }
  return text
}

/** The same text in one piece of memory: one that was joined from many pieces would keep them, and take longer to copy. JSON is ASCII. */
function flat(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1')
}

import type { Values } from '../../../core/config/project-config.js'

/** An object of the project. */
export interface StoredObject {
  key: string
  /** The name of the file that owns it; null: none does. */
  owner: string | null
  /** The UUID of a channel or check, the ID of a policy or silence. */
  ref: string
  /** As in files; a channel has `settings` as they are stored, and `members` by their keys. */
  values: Values
  /** Changes with everything that files can set of it, but not with what a check depends on. */
  seen: string
  /** Whether it is a silence that is over. */
  isOver: boolean
}

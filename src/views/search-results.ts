/** What the search of the whole site finds, as the page and the dialog show it. */
import type { Status } from '../core/checks/check.js'

/** Something to open or to do. */
export type FoundOption = {
  label: string
  /** What tells it from others with the same label. */
  detail?: string
} & (
  | { kind: 'page'; path: string }
  | {
      kind: 'check'
      path: string
      uuid: string
      status: Status
      running: boolean
      troubleSince: number | null
    }
  /** A button that sends a form. `leaves`: to another page. */
  | { kind: 'action'; path: string; name?: string; value?: string; leaves?: boolean }
  | { kind: 'copy'; text: string }
)

export interface FoundGroup {
  title: string
  /** How many of all are shown, as `8 of 43`, if some are not. */
  shown?: string
  options: FoundOption[]
}

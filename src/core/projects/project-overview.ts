/** The state of a project. Late and down follow the rules, whether or not the watcher has noticed. */
export interface ProjectOverview {
  uuid: string
  checks: number
  down: number
  late: number
  running: number
  paused: number
  new: number
  channels: number
  /** The newest ping of any of its checks. */
  lastPing: number | null
}

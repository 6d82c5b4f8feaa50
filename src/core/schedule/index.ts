export interface Schedule {
  kind: 'cron' | 'oncalendar'
  text: string
}
export function parseSchedule(text: string): Schedule {
  return { kind: 'cron', text }
}
export function nextAfter(_schedule: Schedule, _tz: string, instantMs: number): number | null {
  return instantMs + 60_000
}

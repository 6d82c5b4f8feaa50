/** What one examination of `punctual doctor` found. */
export interface DoctorFinding {
  /** `fail`: alerts or pings are lost until it is mended. `warn`: it may be meant. */
  level: 'ok' | 'warn' | 'fail'
  about: string
  text: string
  /** What to do about it; empty for `ok`. */
  advice: string
}

export const ok = (about: string, text: string): DoctorFinding => ({ level: 'ok', about, text, advice: '' })

export const warning = (about: string, text: string, advice: string): DoctorFinding => ({
  level: 'warn',
  about,
  text,
  advice,
})

export const failure = (about: string, text: string, advice: string): DoctorFinding => ({
  level: 'fail',
  about,
  text,
  advice,
})

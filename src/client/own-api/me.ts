// Written by `npm run docs` from the OpenAPI document of Punctual's own API.

export type Person = {
  uuid: string
  email: string
  timezone: string
  theme: 'auto' | 'light' | 'dark'
  reports: 'off' | 'daily' | 'weekly' | 'monthly'
  /** Seconds between e-mails about checks that are down; 0: none. */
  reminders: 0 | 3600 | 86400
}

/** What is to be changed; everything is optional. */
export type PersonChanges = {
  timezone?: string
  theme?: 'auto' | 'light' | 'dark'
  reports?: 'off' | 'daily' | 'weekly' | 'monthly'
  /** Seconds between e-mails about checks that are down; 0: none. */
  reminders?: 0 | 3600 | 86400
}

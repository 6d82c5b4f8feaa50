// Written by `npm run docs` from the OpenAPI document of Punctual's own API.

export type Member = {
  uuid: string
  email: string
  role: 'owner' | 'manager' | 'member' | 'readonly'
  /** When the project was offered to them. */
  offered_at: string | null
}

export type MemberChanges = {
  role: 'manager' | 'member' | 'readonly'
}

// Written by `npm run docs` from the OpenAPI document of Punctual's own API.

export type Invitation = {
  uuid: string
  role: 'manager' | 'member' | 'readonly'
  /** Null: the link is passed on. */
  email: string | null
  inviter: string | null
  created_at: string
  expires_at: string
}

export type NewInvitation = {
  /** Where the link is sent to; null: nowhere. */
  email?: string | null
  role: 'manager' | 'member' | 'readonly'
}

export type CreatedInvitation = Invitation & {
  /** Works once, within a week. Shown only now. */
  link: string
  /** The address that the link was sent to. */
  sent_to: string | null
}

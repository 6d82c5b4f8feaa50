/** Words that users search for but the documents do not use, with their replacements. */
const WORDS: readonly [typed: RegExp, ours: string][] = [
  [/\btime ?zones?\b/g, 'time zone'],
  [/\b(?:dst|daylight(?: saving)?s?(?: time)?|summer ?time)\b/g, 'dst'],
  [/\bcron ?tabs?\b/g, 'crontab'],
  [/\bcron ?jobs?\b/g, 'crontab'],
  [/\b(?:2fa|mfa|otp|totp|two[- ]factor)\b/g, 'authenticator'],
  [/\bk8s\b/g, 'kubernetes'],
  [/\b(?:gh|github) ?actions?\b/g, 'github actions'],
  [/\b(?:scheduled tasks?|schtasks)\b/g, 'task scheduler'],
  [/\be?-?mails?\b/g, 'e-mail'],
  [/\b(?:log ?in|sign ?in)\b/g, 'sign in'],
  [/\b(?:exit|return) ?codes?\b/g, 'exit status'],
  [/\b(?:retention|history)\b/g, 'log limit'],
  [/\b(?:teams|ms ?teams)\b/g, 'microsoft teams'],
  [/\b(?:borg|borgbackup)\b/g, 'borgbackup'],
  [/\bpostgres\b/g, 'postgresql'],
  [/\breverse[- ]?proxy\b/g, 'reverse proxy'],
  [/\bdead ?man'?s ?switch\b/g, 'heartbeat'],
]

/** The words to search for in the documents when a user types `typed`. */
export function ourWords(typed: string): string {
  return WORDS.reduce((text, [theirs, ours]) => text.replace(theirs, ours), typed.toLowerCase())
}

/** The text with the password of a URL replaced by `mask`, or a name without a password, which is a token; any other text as it is. */
export function withoutPassword(text: string, mask: string): string {
  if (!URL.canParse(text)) return text
  const { username, password } = new URL(text)
  if (username === '' && password === '') return text
  const shown = password === '' ? mask : `${username}:${mask}`
  return text.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, `$1${shown}@`)
}

/** The types of settings: which texts they accept, and how those are parsed. */
import { isIP } from 'node:net'
import { resolve } from 'node:path'

export interface SettingType<T> {
  /** The value of `text`, or undefined if it is not valid. */
  parse(text: string): T | undefined
  /** Ends the sentence "NAME must be …". */
  accepts: string
  /** Whether an empty variable is a value rather than unset. */
  takesEmpty?: boolean
}

export const text: SettingType<string> = { parse: given => given, accepts: 'text' }

/** `True` or `False`; empty is False. Compatible with Healthchecks. */
export const flag: SettingType<boolean> = {
  parse: given => {
    if (/^[Tt]rue$/.test(given)) return true
    return /^([Ff]alse)?$/.test(given) ? false : undefined
  },
  accepts: 'True or False',
  takesEmpty: true,
}

/** A whole number from `min` to `max`. */
export function whole(min: number, max = 1_000_000_000): SettingType<number> {
  return {
    parse: given => {
      const number = /^\d{1,15}$/.test(given.trim()) ? Number(given) : Number.NaN
      return number >= min && number <= max ? number : undefined
    },
    accepts: `a whole number from ${min} to ${max}`,
  }
}

/** A value of `type`, or null for the word `None`. */
export function orNone<T>(type: SettingType<T>): SettingType<T | null> {
  return {
    parse: given => (given === 'None' ? null : type.parse(given)),
    accepts: `${type.accepts}, or None`,
  }
}

/** A value of `type`, or null if empty or `None`. */
export function optional<T>(type: SettingType<T>): SettingType<T | null> {
  return {
    parse: given => (given === '' || given === 'None' ? null : type.parse(given)),
    accepts: `${type.accepts}, or empty`,
  }
}

export function choice<const T extends string>(...words: T[]): SettingType<T> {
  return {
    parse: given => words.find(word => word === given),
    accepts: words.join(' or '),
  }
}

/** A folder, resolved against the working directory. */
export const folder: SettingType<string> = { parse: given => resolve(given), accepts: 'a path' }

/** An http or https address with an optional path, without its trailing slashes. */
export const siteAddress: SettingType<string> = {
  parse: given => {
    const url = URL.canParse(given) ? new URL(given) : null
    if (!url || !/^https?:$/.test(url.protocol)) return undefined
    if (url.username || url.password || url.search || url.hash || /\s/.test(given)) return undefined
    return url.origin + url.pathname.replace(/\/{2,}/g, '/').replace(/\/$/, '')
  },
  accepts: 'an address such as https://monitor.example.org, with a path if it lives under one',
}

/** An http or https address that ends with a slash, so that an id can follow. */
export const addressPrefix: SettingType<string> = {
  parse: given => (given.endsWith('/') && siteAddress.parse(given) !== undefined ? given : undefined),
  accepts: 'an http:// or https:// address that ends with a slash',
}

/** A host name or IP address to listen on or connect to; may be empty. */
export const host: SettingType<string> = {
  parse: given => (given === '' || isIP(given) !== 0 || isHostName(given) ? given : undefined),
  accepts: 'an IP address or a host name',
}

/** A host with an optional port, as `host` or `host:port`; may be empty. */
export const endpoint: SettingType<string> = {
  parse: given => {
    const [, name = '', port = '1'] = /^(\[[0-9a-f:.]+\]|[^:/]+)(?::(\d{1,5}))?$/i.exec(given) ?? []
    const known = isIP(name.replace(/^\[|\]$/g, '')) !== 0 || isHostName(name)
    return given === '' || (known && Number(port) > 0 && Number(port) <= 65_535) ? given : undefined
  },
  accepts: 'a host with an optional port, such as s3.example.org:9000, without https://',
}

/** A valid name of an S3 bucket; may be empty. */
export const bucketName: SettingType<string> = {
  parse: given => (given === '' || /^[a-z0-9][a-z0-9._-]{1,62}$/i.test(given) ? given : undefined),
  accepts: 'the name of a bucket',
}

export const domain: SettingType<string> = {
  parse: given => (isHostName(given) ? given.toLowerCase() : undefined),
  accepts: 'a domain name',
}

/** The name of a request header, in lower case. Also accepts the form of Healthchecks, `HTTP_X_NAME`. May be empty. */
export const headerName: SettingType<string> = {
  parse: given => {
    const name = given
      .replace(/^HTTP_/, '')
      .replaceAll('_', '-')
      .toLowerCase()
    return /^[a-z0-9-]*$/.test(name) ? name : undefined
  },
  accepts: 'the name of a request header',
}

/** An http or https address, kept as entered; may be empty. */
export const issuerAddress: SettingType<string> = {
  parse: given => (given === '' || siteAddress.parse(given) !== undefined ? given : undefined),
  accepts: 'an http:// or https:// address',
}

export const optionalDomain: SettingType<string> = {
  parse: given => (given === '' ? '' : domain.parse(given)),
  accepts: 'a domain name, or empty',
}

export const optionalEmail: SettingType<string> = {
  parse: given => (given === '' || /^[^\s@<>]+@[^\s@<>]+$/.test(given) ? given : undefined),
  accepts: 'an e-mail address, or empty',
}

/** `address@domain` or `Name <address@domain>`. */
export const sender: SettingType<string> = {
  parse: given => (/^([^<>\r\n]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/.test(given) ? given : undefined),
  accepts: 'an e-mail address, or Name <address>',
}

/** An envelope sender in which `%s` is the placeholder for a message's id; may be empty. */
export const envelope: SettingType<string> = {
  parse: given => (given === '' || /^[^%\s]*%s[^%\s]*@[^%\s@]+$/.test(given) ? given : undefined),
  accepts: 'an e-mail address with one %s before its @',
}

/** A random signing key. Rejects `---`, the placeholder in the sample configuration of Healthchecks, because it is public. */
export const signingKey: SettingType<string> = {
  parse: given => (given === '---' ? undefined : given),
  accepts: 'random text of your own (left empty, Punctual makes one)',
}

export const postgresAddress: SettingType<string> = {
  parse: given => (given === '' || /^postgres(ql)?:\/\/./.test(given) ? given : undefined),
  accepts: 'empty or a postgres:// address',
}

/** The contents of a PEM file: certificates or a key; may be empty. */
export const pem: SettingType<string> = {
  parse: given => (given === '' || /^-----BEGIN [A-Z0-9 ]+-----/m.test(given) ? given : undefined),
  accepts: 'the contents of a PEM file (its path goes into the variable of the same name with _FILE)',
}

/** Addresses and networks (`10.0.0.0/8`), separated by commas or spaces. */
export const networks: SettingType<readonly string[]> = {
  parse: given => {
    const list = given.split(/[\s,]+/).filter(item => item !== '')
    return list.every(isNetwork) ? list : undefined
  },
  accepts: 'IP addresses and networks such as 10.0.0.0/8, separated by commas',
}

function isHostName(given: string): boolean {
  return (
    given.length <= 253 &&
    /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/i.test(given)
  )
}

function isNetwork(given: string): boolean {
  const [address = '', bits, more] = given.split('/')
  const version = isIP(address)
  if (version === 0 || more !== undefined) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

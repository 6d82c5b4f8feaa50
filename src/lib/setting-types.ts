/** What a setting's text may be, and the value it stands for. */
import { isIP } from 'node:net'
import { resolve } from 'node:path'

export interface SettingType<T> {
  /** The value that `text` stands for, or undefined when it stands for none. */
  parse(text: string): T | undefined
  /** Ends the sentence "NAME must be …". */
  accepts: string
  /** An empty variable is a value of its own, not the same as none. */
  takesEmpty?: boolean
}

export const text: SettingType<string> = { parse: given => given, accepts: 'text' }

/** `True` or `False`, as the reference writes them; empty is False, as there. */
export const flag: SettingType<boolean> = {
  parse: given => {
    if (/^[Tt]rue$/.test(given)) return true
    return /^([Ff]alse)?$/.test(given) ? false : undefined
  },
  accepts: 'True or False',
  takesEmpty: true,
}

/** A whole number, `min` to `max`. */
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

/** A value of `type`, or null where there is none. */
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

/** A folder, made absolute against the working directory. */
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

/** A name or an IP address to listen on or to connect to; empty where there is none. */
export const host: SettingType<string> = {
  parse: given => (given === '' || isIP(given) !== 0 || isHostName(given) ? given : undefined),
  accepts: 'an IP address or a host name',
}

/** A host with an optional port, as `host` or `host:port`; empty where there is none. */
export const endpoint: SettingType<string> = {
  parse: given => {
    const [, name = '', port = '1'] = /^(\[[0-9a-f:.]+\]|[^:/]+)(?::(\d{1,5}))?$/i.exec(given) ?? []
    const known = isIP(name.replace(/^\[|\]$/g, '')) !== 0 || isHostName(name)
    return given === '' || (known && Number(port) > 0 && Number(port) <= 65_535) ? given : undefined
  },
  accepts: 'a host with an optional port, such as s3.example.org:9000, without https://',
}

/** The name of a bucket as S3 allows it; empty for none. */
export const bucketName: SettingType<string> = {
  parse: given => (given === '' || /^[a-z0-9][a-z0-9._-]{1,62}$/i.test(given) ? given : undefined),
  accepts: 'the name of a bucket',
}

export const domain: SettingType<string> = {
  parse: given => (isHostName(given) ? given.toLowerCase() : undefined),
  accepts: 'a domain name',
}

/** The name of a request header, in lower case; also as the reference writes it: `HTTP_X_NAME`. Empty for none. */
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

/** An http or https address, as given; empty for none. */
export const issuerAddress: SettingType<string> = {
  parse: given => (given === '' || siteAddress.parse(given) !== undefined ? given : undefined),
  accepts: 'an http:// or https:// address',
}

export const optionalDomain: SettingType<string> = {
  parse: given => (given === '' ? '' : domain.parse(given)),
  accepts: 'a domain name, or empty',
}

/** `address@domain` or `Name <address@domain>`. */
export const sender: SettingType<string> = {
  parse: given => (/^([^<>\r\n]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/.test(given) ? given : undefined),
  accepts: 'an e-mail address, or Name <address>',
}

/** An envelope sender in which `%s` stands for the id of a message; empty for none. */
export const envelope: SettingType<string> = {
  parse: given => (given === '' || /^[^%\s]*%s[^%\s]*@[^%\s@]+$/.test(given) ? given : undefined),
  accepts: 'an e-mail address with one %s before its @',
}

/** Random text that signs. The placeholder of the reference's sample file is known to everybody. */
export const signingKey: SettingType<string> = {
  parse: given => (given === '---' ? undefined : given),
  accepts: 'random text of your own (left empty, Punctual makes one)',
}

export const postgresAddress: SettingType<string> = {
  parse: given => (given === '' || /^postgres(ql)?:\/\/./.test(given) ? given : undefined),
  accepts: 'empty or a postgres:// address',
}

/** What a PEM file holds: certificates or a key; empty for none. */
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

import assert from 'node:assert/strict'

/** A page as it arrived, and its text. */
export interface Page {
  status: number
  headers: Headers
  /** The HTML. */
  text: string
  /** The path to which the response redirects; null for any other response. */
  location: string | null
}

type Fields = Record<string, string | readonly string[]>

/** A user with a browser: it keeps cookies, and sends the token of the last page with a form. */
export class Visitor {
  readonly cookies = new Map<string, string>()
  #csrf = ''

  constructor(
    private readonly root: string,
    /** The headers of every request. */
    readonly headers: Record<string, string> = {},
  ) {}

  /** Opens a page without following redirects. */
  async get(path: string, headers: Record<string, string> = {}): Promise<Page> {
    return await this.#send('GET', path, null, headers)
  }

  /** Opens a page and follows redirects. */
  async open(path: string): Promise<Page> {
    let page = await this.get(path)
    for (let hops = 0; page.location !== null && hops < 5; hops++) page = await this.get(page.location)
    return page
  }

  /** Sends a form, with the token of the last page seen unless the fields have one. */
  async post(path: string, fields: Fields = {}, headers: Record<string, string> = {}): Promise<Page> {
    if (this.#csrf === '') await this.#seeForm()
    const form = new URLSearchParams()
    for (const [name, value] of Object.entries({ csrf: this.#csrf, ...fields })) {
      for (const one of [value].flat()) form.append(name, one)
    }
    return await this.#send('POST', path, form, headers)
  }

  /** Signs in with a password. */
  async signIn(email: string, password: string): Promise<void> {
    const { status, text } = await this.post('/accounts/login/', { email, password })
    assert.equal(status, 303, text)
    this.#csrf = ''
  }

  /** Opens a page with a form, whether or not anyone is signed in. */
  async #seeForm(): Promise<void> {
    const { location } = await this.get('/accounts/login/')
    if (location !== null) await this.get('/projects/add/')
  }

  async #send(
    method: string,
    path: string,
    body: URLSearchParams | null,
    headers: Record<string, string>,
  ): Promise<Page> {
    const response = await fetch(this.root + path, {
      method,
      redirect: 'manual',
      body,
      headers: { ...this.headers, ...headers, Cookie: this.#cookieHeader() },
    })
    for (const cookie of response.headers.getSetCookie()) this.#keep(cookie)
    const text = await response.text()
    const token = /name="csrf" value="([^"]+)"/.exec(text)?.[1]
    if (token !== undefined) this.#csrf = token
    return {
      status: response.status,
      headers: response.headers,
      text,
      location: response.headers.get('Location'),
    }
  }

  #cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  #keep(cookie: string): void {
    const [pair = '', ...attributes] = cookie.split('; ')
    const [name = '', value = ''] = pair.split(/=(.*)/s)
    if (attributes.includes('Max-Age=0')) this.cookies.delete(name)
    else this.cookies.set(name, value)
  }
}

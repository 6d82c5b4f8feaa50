import { raw } from 'hono/html'
import type { PropsWithChildren } from 'hono/jsx'
import { assetPath } from '../lib/assets.js'
import { Crumb } from './components/crumb.js'
import { Flash } from './components/flash.js'
import { type Key, Keys } from './components/keys.js'
import { Masthead } from './components/masthead.js'
import { Palette } from './components/palette/palette.js'
import { link, type PageContext, zoneOf } from './page-context.js'
import type { PageLink, Section } from './site-pages.js'

/** A file of static/js without its extension; each enhances one behaviour. */
export type Script = string

interface Props {
  title: string
  page: PageContext
  /** The entry of the navigation to which the page belongs. */
  section?: Section
  /** The page above, to which a link over the title leads: of every page that no navigation leads to. */
  parent?: Section | PageLink | undefined
  /** The page's scripts besides those of every page. */
  scripts?: readonly Script[]
  /** `full` for lists with many columns, `wide` for other lists, `read` for text and forms, `form` for a page with only a short form. */
  measure?: 'full' | 'wide' | 'read' | 'form'
  /** Without the masthead and its links. */
  bare?: boolean
  /** The page's keys besides those of every page. */
  keys?: readonly Key[]
  /** A part of the page to which a link at its start leads, after the link to the content. */
  skip?: { to: string; words: string } | undefined
}

const EVERYWHERE: readonly Script[] = ['times', 'copy', 'menus', 'confirm', 'problems', 'stay']
/** For readers who are signed in. */
const SIGNED_IN: readonly Script[] = ['palette', 'keys']

/** Pages that update themselves. */
const isLive = (scripts: readonly Script[]) => scripts.includes('live')

/** The frame of every page: head, masthead and main part. */
export function Layout({
  title,
  page,
  section,
  parent,
  scripts = [],
  measure = 'wide',
  bare = false,
  keys = [],
  skip,
  children,
}: PropsWithChildren<Props>) {
  const asset = (name: string) => link(page, assetPath(name))
  const watches = page.user !== null && !bare
  const count = page.problems > 0 ? `(${page.problems}) ` : ''
  return (
    <>
      {raw('<!doctype html>')}
      <html lang="en" data-theme={page.user?.theme ?? 'auto'}>
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <title>{`${count}${title} · ${page.siteName}`}</title>
          <link rel="stylesheet" href={asset('css/app.css')} />
          <link
            rel="icon"
            id="favicon"
            type="image/svg+xml"
            href={asset(page.problems > 0 ? 'img/favicon-down.svg' : 'img/favicon.svg')}
            data-up={asset('img/favicon.svg')}
            data-down={asset('img/favicon-down.svg')}
            data-problems={watches ? link(page, problemsPath(page)) : undefined}
            data-project={watches ? page.project?.uuid : undefined}
            data-shared={watches ? link(page, '/problems/live/') : undefined}
            data-worker={watches ? asset('js/problems-worker.js') : undefined}
          />
          {[
            ...EVERYWHERE,
            ...(watches ? SIGNED_IN : []),
            ...scripts,
            ...(isLive(scripts) ? ['connection'] : []),
          ].map(name => (
            <script type="module" src={asset(`js/${name}.js`)} />
          ))}
        </head>
        <body>
          <a class="skip" href="#main">
            Skip to the content
          </a>
          {skip ? (
            <a class="skip" href={`#${skip.to}`}>
              {skip.words}
            </a>
          ) : null}
          {bare ? null : <Masthead page={page} section={section} />}
          <main id="main" class={`measure-${measure}`}>
            <Flash page={page} />
            {parent ? <Crumb page={page} parent={parent} /> : null}
            {children}
          </main>
          {watches ? (
            <>
              <Palette page={page} />
              <Keys page={page} keys={keys} />
            </>
          ) : null}
          {isLive(scripts) ? (
            <div id="connection" class="connection" aria-live="polite" data-zone={zoneOf(page)} />
          ) : null}
        </body>
      </html>
    </>
  )
}

/** The address that returns the number of checks that are down: of the project, or of all projects. */
function problemsPath({ project }: PageContext): string {
  return project ? `/projects/${project.uuid}/problems/` : '/problems/'
}

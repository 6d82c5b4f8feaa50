import { link, type PageContext } from '../../page-context.js'

/** What a user without a password can do if the installation sends no e-mail: the operator creates a link. */
export function AskForLink({ page }: { page: PageContext }) {
  return (
    <div class="stack muted">
      <p>Ask your administrator for a sign-in link. This command prints one:</p>
      <p>
        <code>punctual user sign-in-link you@example.org</code>
      </p>
      <p>
        <a href={link(page, '/docs/self-hosting/#people-who-cannot-sign-in')}>More about the command</a>
      </p>
    </div>
  )
}

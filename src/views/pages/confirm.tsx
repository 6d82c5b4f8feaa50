import type { Child } from 'hono/jsx'
import { Button } from '../components/forms/button.js'
import { FormEnd } from '../components/forms/form-end.js'
import { PostForm } from '../components/forms/post-form.js'
import { PageHead } from '../components/page-head.js'
import { Layout } from '../layout.js'
import type { PageContext } from '../page-context.js'
import type { PageLink, Section } from '../site-pages.js'

interface Props {
  page: PageContext
  section?: Section
  /** The page from which this one is reached. */
  parent: Section | PageLink
  title: string
  /** What will happen, and whether it can be undone. */
  text: Child
  /** The path to which the form is sent, and the label of its button. */
  action: string
  button: string
  danger?: boolean
  /** Further fields of the form. */
  fields?: Child
  /** Where cancelling leads. */
  back: string
}

/** Asks for confirmation before something that is hard to undo. */
export function ConfirmPage({
  page,
  section = 'checks',
  parent,
  title,
  text,
  action,
  button,
  danger = true,
  fields,
  back,
}: Props) {
  return (
    <Layout title={title} page={page} section={section} parent={parent} measure="read">
      <PageHead title={title} />
      <PostForm page={page} action={action} class="form">
        <p>{text}</p>
        {fields}
        <FormEnd page={page} cancel={back}>
          <Button look={danger ? 'danger' : 'primary'} name="sure" value="1">
            {button}
          </Button>
        </FormEnd>
      </PostForm>
    </Layout>
  )
}

/** Names the list of checks, with its filter, to which the form leads. */
export function ListField({ list }: { list: string }) {
  return <input type="hidden" name="list" value={list} />
}

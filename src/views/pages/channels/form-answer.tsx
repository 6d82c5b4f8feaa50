/** The answer to a button of a channel's form other than the one that saves. */
export interface FormAnswer {
  isGood: boolean
  text: string
  /** The requests that would be sent, with secrets masked. */
  requests?: readonly { label: string; text: string }[]
  /** Names the settings of which a test was delivered, so that saving them does not ask for another test. */
  tested?: string
}

/** Says what the button did, and shows the requests if it asked for them. It has the focus, so that it is in sight. */
export function AnswerOfForm({ answer: { isGood, text, requests = [], tested } }: { answer: FormAnswer }) {
  return (
    <>
      <p class={`flash flash-${isGood ? 'good' : 'bad'}`} role="status" tabindex={-1} autofocus>
        {text}
      </p>
      {tested === undefined ? null : <input type="hidden" name="tested" value={tested} />}
      {requests.map(request => (
        <figure class="request-preview">
          <figcaption>{request.label}</figcaption>
          <pre>{request.text}</pre>
        </figure>
      ))}
    </>
  )
}

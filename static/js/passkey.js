// Creates or uses a passkey when the form is sent, and sends the browser's response with it.
for (const box of document.querySelectorAll('[data-passkey]')) {
  const form = box.closest('form')
  const answer = form.querySelector('input[name="answer"]')
  const error = form.querySelector('[data-passkey-error]')
  form.addEventListener('submit', event => {
    if (answer.value) return
    event.preventDefault()
    ask(box.dataset, form).then(
      credential => {
        answer.value = JSON.stringify(credential.toJSON())
        form.submit()
      },
      () => {
        error.textContent = 'The browser gave no passkey. Try again, or use another way.'
      },
    )
  })
}

async function ask({ passkey, options }, form) {
  const response = await fetch(options, {
    method: 'POST',
    headers: { 'X-CSRF-Token': form.elements.csrf.value },
  })
  if (!response.ok) throw new Error(`The server answered ${response.status}.`)
  const json = await response.json()
  return passkey === 'create'
    ? await navigator.credentials.create({
        publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(json),
      })
    : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(json) })
}

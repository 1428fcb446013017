"""The API: for programs, in JSON, under /api/v1/.

Who may read: anybody, what everybody may see; a session or a token adds the championships of its user. Who may write: a
token with the scope of the write, never a session alone, so that no page of another site can write through a browser.

    views       the base of every view: identity, throttle, conditional answers
    identity    tokens and sessions, and the `policy.Actor` that they make
    problems    every error as problem+json (RFC 9457); problem_types says what each code means
    throttles   how many requests a minute, and the headers that say so
    reading     what a GET takes and gives, read off its description; read_answers: how it is answered
    conditional ETag, Last-Modified, 304, 412 (RFC 9110), and who may keep an answer; compression: gzip
    negotiation the form that the Accept header likes best
    selecting   `fields=`; tables: a list as CSV
    pages       lists: cursors, `next` and `previous`, the Link header (RFC 8288)
    bodies      a document as it comes in, never more than BODY_LIMIT bytes, whatever the framing
    batches     many items at once; batch_lines: how they come in, batch_items: what each asks for, batch_work: the
                work at them; inside: a write done inside of another one
    references  things named by their number, or by the id that a program gave them
    writing     one transaction a request, Idempotency-Key, If-Match, external ids; writing_schema describes it
    changes     the feed; feed_reader: what is asked of it, change_shapes: how a change is shown, waiting: few wait at
                once, streams: server-sent events
    openapi     the document of the API and its page; links: what leads on from an answer

The other modules hold the views of one subject, each with its serializers: these shape and describe answers, and decide
nothing. A view asks policy, calls one service or one selector, and answers.
"""

# The program with its locked packages, compiled catalogues and collected static files; no secret, no compiler.
FROM python:3.11-slim AS build
WORKDIR /app
COPY bin/setup bin/
COPY requirements-run.lock .
RUN bin/setup requirements-run.lock
COPY manage.py ./
COPY bin bin
COPY engine engine
COPY scoring scoring
COPY league league
COPY templates templates
COPY static static
COPY locale locale
COPY docs docs
# The key is only there so that settings can be read; it stays in this stage's command.
RUN .venv/bin/python bin/catalogues.py compile \
    && BORNAGE_PRODUCTION=1 BORNAGE_ALLOWED_HOSTS=localhost BORNAGE_SECRET_KEY=$(head -c 48 /dev/urandom | base64) \
       .venv/bin/python manage.py collectstatic --no-input \
    && .venv/bin/python -m compileall -q engine scoring league

FROM python:3.11-slim
RUN useradd --system --no-create-home --uid 10001 bornage
WORKDIR /app
COPY --from=build /app /app
USER bornage
ENV BORNAGE_PRODUCTION=1 HOST=0.0.0.0 PORT=8000 PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
EXPOSE 8000
CMD ["bin/web"]

# One image for web, workers and beat: deploy/compose.yaml says which is which.
FROM python:3.12-slim
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 SITREP_VAR=/var/lib/sitrep
WORKDIR /srv/sitrep
COPY requirements/base.txt requirements/base.txt
RUN pip install --no-cache-dir --require-hashes -r requirements/base.txt
COPY manage.py ./
COPY rulesengine rulesengine
COPY campaigns campaigns
COPY templates templates
COPY static static
COPY fixtures fixtures
RUN useradd --system --home-dir /var/lib/sitrep sitrep && install -d -o sitrep /var/lib/sitrep
USER sitrep
VOLUME /var/lib/sitrep
EXPOSE 8000

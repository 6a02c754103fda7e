"""Three DAGs of Airflow 3. They state what they read and write as assets of Airflow, and as datasets of OpenLineage."""

from datetime import datetime

from airflow.providers.common.compat.openlineage.facet import Dataset
from airflow.sdk import DAG, Asset, TaskGroup, task

SERVER = "postgres://db.example.com:5432"
START = datetime(2026, 1, 1)

orders = Asset(f"{SERVER}/shop/raw/orders")


def table(name):
    return Dataset(namespace=SERVER, name=f"shop.{name}")


with DAG("load_orders", description="Loads all orders.", schedule=None, start_date=START, tags=["nightly"]):

    @task(outlets=[orders, table("raw.orders")], owner="ines@example.com")
    def extract():
        pass

    @task(inlets=[table("raw.orders")], outlets=[table("mart.totals")])
    def sum_up():
        pass

    extract() >> sum_up()

# A dot in the name of a DAG, a group of tasks, and a task that runs twice.
with DAG("finance.export", schedule=None, start_date=START):
    with TaskGroup("files"):

        @task(inlets=[table("mart.totals")], outlets=[Asset("file:///exports/totals.csv")])
        def write(day):
            pass

        write.expand(day=["monday", "tuesday"])

# Runs when the first DAG has written its asset.
with DAG("report", schedule=[orders], start_date=START):

    @task(inlets=[table("raw.orders")], outlets=[table("mart.report")])
    def send():
        pass

    send()
